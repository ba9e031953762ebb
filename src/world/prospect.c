/* What a scene will do, from its numbers: the speed it can reach, how stiff and how thin its matter
 * gets; and which scheme that asks for (choice.h). */
#include "world/state.h"

#include <math.h>

tl_extent tl_world_extent(const tl_world *w) {
    const tl_world_def *def = &w->def;
    tl_extent b = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
    for (size_t i = 0; i < def->seed_count; i++)
        for (int k = 0; k < 3; k++) {
            b.low[k] = fmin(b.low[k], def->seeds[i].position[k]);
            b.high[k] = fmax(b.high[k], def->seeds[i].position[k]);
        }
    for (size_t e = 0; e < def->emitter_count; e++) {
        tl_extent own;
        tl_nozzle_bounds(&w->emitters[e].nozzle, 0, own.low, own.high);
        for (int k = 0; k < 3; k++) {
            b.low[k] = fmin(b.low[k], own.low[k]);
            b.high[k] = fmax(b.high[k], own.high[k]);
        }
    }
    return def->seed_count + def->emitter_count > 0 ? b : (tl_extent){{0}, {0}};
}

static bool is_plane(const tl_shape *shape) {
    return !shape->is_box && !shape->is_ball && !shape->solid;
}

/* How far a place can fall before it meets a plane; without end when it meets none. */
static double fall_to_planes(const tl_world *w, tl_vec3 place, tl_vec3 up) {
    double fall = HUGE_VAL;
    for (size_t s = 0; s < w->shapes.count; s++) {
        const tl_shape *shape = &w->shapes.items[s];
        const double climb = is_plane(shape) ? tl_vec3_dot(shape->normal, up) : 0;
        tl_vec3 n;
        if (climb > 0.05)
            fall = fmin(fall, tl_shape_distance(shape, place, &n) / climb);
    }
    return fall;
}

/* The same for other walls: in strides that are as long as the way to the next of them. */
static double fall_to_forms(const tl_world *w, tl_vec3 place, tl_vec3 up) {
    enum { MOST_STRIDES = 256 };
    double fall = 0;
    for (int stride = 0; stride < MOST_STRIDES; stride++) {
        const tl_vec3 here = tl_vec3_mad(place, -fall, up);
        double way = HUGE_VAL;
        tl_vec3 n;
        for (size_t s = 0; s < w->shapes.count; s++)
            if (!is_plane(&w->shapes.items[s]))
                way = fmin(way, tl_shape_distance(&w->shapes.items[s], here, &n));
        if (way < 0.5 * w->def.spacing || !isfinite(way))
            return isfinite(way) ? fall : HUGE_VAL;
        fall += way;
    }
    return HUGE_VAL;
}

/* A fall without end ends nowhere, and so asks for nothing. */
static double ended(double fall) { return isfinite(fall) && fall > 0 ? fall : 0; }

/* How far particles can fall before they meet anything; some of them stand for all. */
static double fall_of_seeds(const tl_world *w, tl_vec3 up) {
    enum { MOST_SEEDS = 100 };
    const size_t every = w->def.seed_count / MOST_SEEDS + 1;
    double fall = 0;
    for (size_t i = 0; i < w->def.seed_count; i += every) {
        const tl_vec3 place = tl_vec3_of(w->def.seeds[i].position);
        const double to_forms = fall_to_forms(w, place, up);
        fall = fmax(fall, ended(fmin(to_forms, fall_to_planes(w, place, up))));
    }
    return fall;
}

/* The fastest that bodies start with. */
static double starting_speed(const tl_world *w) {
    double speed = 0;
    for (size_t i = 0; i < w->def.seed_count; i++)
        speed = fmax(speed, tl_vec3_length(tl_vec3_of(w->def.seeds[i].velocity)));
    return speed;
}

/* The fastest of what drives the flow all the time: walls that move and emitters. */
static double driving_speed(const tl_world *w, const tl_extent *b) {
    const tl_world_def *def = &w->def;
    double speed = 0;
    for (size_t s = 0; s < w->shapes.count; s++) {
        const tl_shape *shape = &w->shapes.items[s];
        speed = fmax(speed, tl_vec3_length(shape->belt));
        if (shape->motion)
            speed = fmax(speed,
                         tl_moves_fastest(shape->motion, tl_vec3_of(b->low), tl_vec3_of(b->high)));
    }
    for (size_t k = 0; k < def->wall_count; k++)
        speed = fmax(speed, def->walls[k].has_driven ? def->walls[k].driven : 0);
    for (size_t e = 0; e < def->emitter_count; e++) {
        const tl_nozzle *nozzle = &w->emitters[e].nozzle;
        speed = fmax(speed, tl_emitter_peak(&def->emitters[e], nozzle->area) +
                                tl_vec3_length(nozzle->velocity));
    }
    return speed;
}

/* How deep the matter is along gravity, and how far it can fall, m. */
static void find_heights(const tl_world *w, const tl_extent *b, double *depth, double *fall) {
    const tl_vec3 gravity = tl_world_mean_force(w);
    const double g = tl_vec3_length(gravity);
    const tl_vec3 up = tl_vec3_scale(gravity, g > 0 ? -1 / g : 0);
    double level[2] = {HUGE_VAL, -HUGE_VAL};
    *fall = 0;
    for (int c = 0; c < 8; c++) {
        const tl_vec3 corner = {c & 1 ? b->high[0] : b->low[0], c & 2 ? b->high[1] : b->low[1],
                                c & 4 ? b->high[2] : b->low[2]};
        level[0] = fmin(level[0], tl_vec3_dot(up, corner));
        level[1] = fmax(level[1], tl_vec3_dot(up, corner));
        *fall = fmax(*fall, g > 0 ? ended(fall_to_planes(w, corner, up)) : 0);
    }
    if (g > 0)
        *fall = fmax(*fall, fall_of_seeds(w, up));
    *depth = level[1] - level[0] + w->def.spacing;
}

/* What the scene starts with, and what gravity adds over the way down. */
static void find_speeds(const tl_world *w, tl_choice_facts *out) {
    const tl_extent b = tl_world_extent(w);
    const double driving = driving_speed(w, &b);
    const double start = fmax(starting_speed(w), driving);
    double fall;
    find_heights(w, &b, &out->depth, &fall);
    out->gravity = tl_vec3_length(tl_world_mean_force(w));
    out->speed = sqrt(start * start + 2 * out->gravity * fmax(fall, out->depth));
    out->fall = fmax(0, fall - out->depth);
    out->driving = driving;
}

/* A liquid that is compressed by one per cent at the speed the scene can reach: c = 10 v. */
static double choose_sound_speed(const tl_world *w, double speed) {
    if (w->def.flow.sound_speed > 0)
        return w->def.flow.sound_speed;
    return 10 * (speed > 0 ? speed : w->def.spacing / 0.01);
}

bool tl_world_def_is_rigid(const tl_world_def *def, uint32_t body) {
    bool rigid = false;
    for (size_t k = 0; k < def->rigid_count; k++)
        rigid = rigid || def->rigids[k].body == body;
    return rigid;
}

/* Temperatures that matter starts with or may come to, °C. */
typedef struct warmth {
    double low, high;
} warmth;

static void add_temperature(warmth *range, double value) {
    range->low = fmin(range->low, value);
    range->high = fmax(range->high, value);
}

static void add_schedule(warmth *range, const tl_schedule *s) {
    const double(*points)[2] = s->points.items;
    add_temperature(range, tl_schedule_at(s, 0));
    for (size_t k = 0; k < s->points.count; k++)
        add_temperature(range, points[k][1]);
}

/* Of one material: what bodies of it and emitters have, and with heat what is around it. */
static warmth warmth_of(const tl_world_def *def, uint32_t material) {
    warmth range = {HUGE_VAL, -HUGE_VAL};
    for (size_t i = 0; i < def->seed_count; i++)
        if (def->seeds[i].material == material && !tl_world_def_is_rigid(def, def->seeds[i].body))
            add_temperature(&range, (double)def->seeds[i].temperature);
    for (size_t e = 0; e < def->emitter_count; e++)
        if (def->emitters[e].material_index == material)
            add_schedule(&range, &def->emitters[e].temperature);
    if (range.low > range.high || !def->with_heat)
        return range;
    for (size_t k = 0; k < def->wall_count; k++)
        if (def->walls[k].has_temperature)
            add_schedule(&range, &def->walls[k].temperature);
    if (def->heat.has_ambient)
        add_schedule(&range, &def->heat.ambient);
    return range;
}

/* The kinematic viscosities of the matter that flows, m²/s: the largest, at rest or frozen, and the
 * least, at the rate of the flow or molten; and whether it is elastic beside them. */
static void find_matter(const tl_world *w, tl_choice_facts *out) {
    const tl_world_def *def = &w->def;
    const double rate = out->speed / out->depth;
    out->tension = def->interface_count > 0;
    out->thinnest = HUGE_VAL;
    for (uint32_t m = 0; m < def->material_count; m++) {
        const tl_material *material = &def->materials[m];
        const warmth range = warmth_of(def, m);
        if (range.low > range.high)
            continue;
        out->elastic = out->elastic || material->has_elastic;
        out->tension =
            out->tension || material->has_surface_tension || material->tensile_strength > 0;
        out->slips = out->slips || (material->solid == TL_SOLID_HELD && material->solid_slip > 0);
        double most = fmax(tl_plateau_viscosity(material, range.low),
                           tl_plateau_viscosity(material, range.high));
        double least = fmin(tl_viscosity_at(material, rate, range.low),
                            tl_viscosity_at(material, rate, range.high));
        if (def->with_heat && material->has_solid_viscosity)
            most = fmax(most, tl_law_at(&material->solid_viscosity, range.low));
        if (def->with_heat && material->has_liquid_viscosity)
            least = fmin(least, tl_law_at(&material->liquid_viscosity, range.high));
        out->stiffest = fmax(out->stiffest, most / material->density);
        out->thinnest = fmin(out->thinnest, least / material->density);
    }
    out->thinnest = fmin(out->thinnest, out->stiffest);
}

/* Where viscosity is a tenth at most of what artificial viscosity does, α c h / 10 with its default
 * α, its form does not matter, and the plainest is the fastest. */
static tl_viscosity_form choose_viscosity(const tl_world *w, double stiffest) {
    if (w->def.flow.viscosity != TL_VISCOSITY_AUTOMATIC)
        return (tl_viscosity_form)w->def.flow.viscosity;
    const double thinnest = 1e-3 * w->sound_speed * 2 * w->def.spacing / 6;
    return stiffest > thinnest ? TL_VISCOSITY_COMPLETE : TL_VISCOSITY_PAIRWISE;
}

/* Elastic matter and surface tension are for implicit steps alone; where nothing flows there is
 * nothing to solve. */
static int choose_scheme(const tl_choice *c) {
    const tl_choice_facts *f = &c->facts;
    const bool less = f->stiffest > 0 && c->by_coupled.seconds < c->by_explicit.seconds;
    const bool only = f->elastic || f->tension || f->slips || f->sizes_differ;
    return only || less ? TL_SCHEME_COUPLED : TL_SCHEME_EXPLICIT;
}

void tl_world_choose(tl_world *w) {
    tl_choice *c = &w->choice;
    tl_choice_facts *f = &c->facts;
    *c = (tl_choice){.asked = w->def.flow.scheme,
                     .facts = {.flow = w->def.flow,
                               .spacing = w->def.spacing,
                               .duration = w->def.duration,
                               .stop_every = w->def.stop_every,
                               .sizes_differ = w->def.most_size > 0}};
    find_speeds(w, f);
    w->sound_speed = f->sound_speed = choose_sound_speed(w, f->speed);
    find_matter(w, f);
    c->by_explicit = tl_cost_of_explicit(f);
    c->by_coupled = tl_cost_of_coupled(f);
    c->taken = c->asked;
    if (w->def.thermal_particles)
        c->taken = TL_SCHEME_NONE;
    else if (c->asked == TL_SCHEME_AUTOMATIC)
        c->taken = choose_scheme(c);
    w->def.flow.scheme = c->taken;
    w->dynamics = tl_dynamics_of(&w->def);
    w->def.flow.viscosity = (int)choose_viscosity(w, f->stiffest);
}
