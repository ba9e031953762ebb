/* Slow flow along curved walls: between cylinders, and through an array of balls. */
#include "build.h"

#include "mesh/form.h"
#include "mesh/solid.h"

#include <criterion/criterion.h>
#include <criterion/logging.h>
#include <math.h>

static const double pi = 3.14159265358979323846, viscosity = 1000;

/* Makes the next wall a mesh; hollow ones face their inside. */
static tl_wall_def *add_mesh(setup *s, const tl_form_def *form, bool hollow, double dx) {
    tl_wall_def *wall = &s->walls[s->def.wall_count++];
    tl_error error = {0};
    cr_assert_eq(tl_form_make(form, dx, &wall->mesh, &error), TL_OK, "%s", error.what);
    wall->hollow = hollow;
    for (size_t t = 0; hollow && t < wall->mesh.triangle_count; t++) {
        const uint32_t swapped = wall->mesh.triangles[t][1];
        wall->mesh.triangles[t][1] = wall->mesh.triangles[t][2];
        wall->mesh.triangles[t][2] = swapped;
    }
    cr_assert_eq(tl_solid_make(&wall->mesh, &wall->solid, &error), TL_OK, "%s", error.what);
    return wall;
}

static void free_meshes(setup *s) {
    for (size_t k = 0; k < s->def.wall_count; k++)
        if (s->walls[k].solid) {
            tl_solid_free(s->walls[k].solid);
            tl_mesh_free(&s->walls[k].mesh);
        }
}

/* ---- Between cylinders -------------------------------------------------------------------------
 */

enum { LAYERS = 4 };
static const double inner = 0.1, outer = 0.2, spin = 5;

static tl_form_def pipe_of(double radius, double dx) {
    return (tl_form_def){.has_cone = true,
                         .scale = 1,
                         .cone = {{0, 0, -3 * dx}, {0, 0, (LAYERS + 3) * dx}, radius, radius}};
}

/* Rings of particles, as `fill: conforming` lays them; or the lattice. */
static void fill_gap(setup *s, int across, bool lattice) {
    const double dx = (outer - inner) / across;
    size_t count = 0;
    setup_add_box(s, -outer, -outer, 0, outer, outer, LAYERS * dx);
    for (size_t i = 0; lattice && i < s->count; i++) {
        const double r = hypot(s->seeds[i].position[0], s->seeds[i].position[1]);
        if (r > inner && r < outer)
            s->seeds[count++] = s->seeds[i];
    }
    for (int k = 0; !lattice && k < LAYERS * across; k++) {
        const int ring = k % across;
        const double r = inner + (ring + 0.5) * dx;
        const long around = lround(2 * pi * r / dx);
        for (long a = 0; a < around; a++) {
            const double angle = 2 * pi * ((double)a + 0.37 * ring) / (double)around;
            double *x = s->seeds[count++].position;
            x[0] = r * cos(angle), x[1] = r * sin(angle), x[2] = (k / across + 0.5) * dx;
        }
    }
    s->count = count;
}

typedef struct couette {
    double torque, speed; /* errors: relative; root of the mean square, of the wall's speed */
} couette;

/* One of the cylinders turns; floor and ceiling are slippery. */
static couette turn_one(int across, bool outer_turns, bool lattice) {
    const double dx = (outer - inner) / across, square = outer * outer - inner * inner;
    setup s = setup_make(dx);
    setup_implicit(&s, 0.01);
    s.material.viscosity.value = viscosity;
    fill_gap(&s, across, lattice);
    setup_add_plane(&s, TL_SIDE_Z, 0)->contact = TL_CONTACT_FREE_SLIP;
    setup_add_plane(&s, TL_SIDE_MINUS_Z, LAYERS * dx)->contact = TL_CONTACT_FREE_SLIP;
    tl_move_def turn = {.about = TL_SIDE_Z, .spin = spin, .has_spin = true};
    const tl_form_def in = pipe_of(inner, dx), out = pipe_of(outer, dx);
    tl_wall_def *walls[2] = {add_mesh(&s, &in, false, dx), add_mesh(&s, &out, true, dx)};
    walls[outer_turns]->motion = (tl_param_list){&turn, 1};
    tl_world *w = setup_world(&s, 1);
    run_to(w, 0.04);
    const double before = books(w).wall_work;
    run_to(w, 0.07);
    const double B = (outer_turns ? -1 : 1) * spin * inner * inner * outer * outer / square;
    const double A = outer_turns ? spin * outer * outer / square : -spin * inner * inner / square;
    const double exact = 4 * pi * viscosity * fabs(B) * LAYERS * dx;
    couette c = {.torque = (books(w).wall_work - before) / 0.03 / spin / exact - 1};
    for (size_t i = 0; i < tl_world_count(w); i++) {
        const double *x = positions(w) + 3 * i, *u = velocities(w) + 3 * i, r = hypot(x[0], x[1]);
        const double along = (x[0] * u[1] - x[1] * u[0]) / r;
        c.speed += pow(along - A * r - B / r, 2) / (double)tl_world_count(w);
    }
    c.speed = sqrt(c.speed) / (spin * (outer_turns ? outer : inner));
    cr_log_info("%d across, %s turns, %s: torque %+.1f %%, speed %.2f %%", across,
                outer_turns ? "outer" : "inner", lattice ? "lattice" : "rings", 100 * c.torque,
                100 * c.speed);
    tl_world_destroy(w);
    free_meshes(&s);
    return c;
}

Test(curved, a_cylinder_turns_in_another_with_the_torque_of_couette) {
    const couette coarse = turn_one(4, false, false), fine = turn_one(8, false, false);
    cr_expect_lt(fabs(coarse.torque), 0.03, "%g", coarse.torque);
    cr_expect_lt(fabs(fine.torque), 0.015, "%g", fine.torque);
    cr_expect_lt(coarse.speed, 0.025, "%g", coarse.speed);
    cr_expect_lt(fine.speed, 0.5 * coarse.speed, "%g, then %g", coarse.speed, fine.speed);
    const couette other = turn_one(5, true, false);
    cr_expect_lt(fabs(other.torque), 0.04, "%g", other.torque);
    cr_expect_lt(other.speed, 0.008, "%g", other.speed);
}

Test(curved, on_a_lattice_too_though_less_exactly) {
    const couette c = turn_one(5, false, true);
    cr_expect_lt(fabs(c.torque), 0.1, "%g", c.torque);
    cr_expect_lt(c.speed, 0.045, "%g", c.speed);
}

/* ---- Through an array of balls -----------------------------------------------------------------
 */

/* The drag of a cubic array of balls that fill `part` of the room, cells `cells` spacings wide,
 * over 6πηRU K; U is the mean velocity of all room (Zick & Homsy 1982, table 2). */
static double drag_in_array(int cells, double part, double K) {
    const double L = 0.1, dx = L / cells, R = cbrt(3 * part / (4 * pi)) * L, g = 1;
    setup s = setup_make(dx);
    setup_implicit(&s, 0.01);
    s.material.viscosity.value = viscosity;
    s.def.gravity[0] = g;
    setup_add_box(&s, -L / 2, -L / 2, -L / 2, L / 2, L / 2, L / 2);
    size_t kept = 0;
    for (size_t i = 0; i < s.count; i++) {
        const double *x = s.seeds[i].position;
        if (hypot(hypot(x[0], x[1]), x[2]) > R)
            s.seeds[kept++] = s.seeds[i];
    }
    s.count = kept;
    for (int axis = 0; axis < 3; axis++)
        setup_periodic(&s, axis, -L / 2, L / 2);
    const tl_form_def form = {.has_capsule = true, .scale = 1, .capsule = {.radius = R}};
    add_mesh(&s, &form, false, dx);
    tl_world *w = setup_world(&s, 1);
    run_to(w, 0.1);
    double mean = 0;
    for (size_t i = 0; i < tl_world_count(w); i++)
        mean += velocities(w)[3 * i] / (double)tl_world_count(w) * (1 - part);
    const double drag = s.material.density * g * L * L * L / (6 * pi * viscosity * R * mean * K);
    cr_log_info("balls of %.2f spacings, %g of the room: drag %+.1f %%", R / dx, part,
                100 * (drag - 1));
    tl_world_destroy(w);
    free_meshes(&s);
    return drag - 1;
}

Test(curved, an_array_of_balls_drags_as_it_should) {
    cr_expect_lt(fabs(drag_in_array(8, 0.125, 4.292)), 0.06);
    cr_expect_lt(fabs(drag_in_array(12, 0.125, 4.292)), 0.04);
    cr_expect_lt(fabs(drag_in_array(8, 0.027, 2.008)), 0.06);
    cr_expect_lt(fabs(drag_in_array(12, 0.027, 2.008)), 0.12);
}

/* ---- Through a pipe ----------------------------------------------------------------------------
 */

enum { PIPE_LAYERS = 6 };
static const double pipe_radius = 0.1, wall_stress = 50;

/* Rings, and as much pipe beyond the periodic faces as a mesh needs not to show its ends. */
static void fill_pipe(setup *s, int across) {
    const double dx = pipe_radius / across;
    size_t count = 0;
    setup_add_box(s, -pipe_radius, -pipe_radius, 0, pipe_radius, pipe_radius, PIPE_LAYERS * dx);
    for (int k = 0; k < PIPE_LAYERS * across; k++) {
        const int ring = k % across;
        const double r = (ring + 0.5) * dx;
        const long around = lround(2 * pi * r / dx);
        for (long a = 0; a < around; a++) {
            const double angle = 2 * pi * ((double)a + 0.37 * ring) / (double)around;
            double *x = s->seeds[count++].position;
            x[0] = r * cos(angle), x[1] = r * sin(angle), x[2] = (k / across + 0.5) * dx;
        }
    }
    s->count = count;
    setup_periodic(s, 2, 0, PIPE_LAYERS * dx);
    const tl_form_def form = {
        .has_cone = true,
        .scale = 1,
        .cone = {{0, 0, -4 * dx}, {0, 0, (PIPE_LAYERS + 4) * dx}, pipe_radius, pipe_radius}};
    add_mesh(s, &form, true, dx);
}

/* The speed down the pipe at the distance r from its axis, ∫ γ̇(τ) from r to R, for any law. */
static double speed_at(const tl_material *material, double r) {
    enum { PARTS = 100 };
    double sum = 0;
    for (int k = 0; k < PARTS; k++) {
        const double there = r + (k + 0.5) / PARTS * (pipe_radius - r);
        sum += rate_at(material, wall_stress * there / pipe_radius) / PARTS;
    }
    return sum * (pipe_radius - r);
}

/* Its mean, ∫ γ̇ r² dr / R². */
static double speed_of(const tl_material *material) {
    enum { PARTS = 400 };
    double sum = 0;
    for (int k = 0; k < PARTS; k++) {
        const double part = (k + 0.5) / PARTS;
        sum += rate_at(material, wall_stress * part) * part * part / PARTS;
    }
    return sum * pipe_radius;
}

typedef struct pipe_flow {
    double speed;   /* mean, over the exact one, less 1 */
    double fastest; /* over the exact mean */
    double heat;    /* of viscosity and numerical terms, over what gravity gave, less 1 */
} pipe_flow;

/* What the books have of the energy that gravity gives. */
static double spent(const tl_world *w) {
    const tl_ledger l = books(w);
    return l.viscous_heat + l.numerical_heat + l.kinetic_energy;
}

/* Mean speed down the pipe; *fastest becomes the largest if it is larger. */
static double look_down(tl_world *w, double *fastest) {
    double mean = 0;
    for (size_t i = 0; i < tl_world_count(w); i++) {
        const double u = -velocities(w)[3 * i + 2];
        mean += u / (double)tl_world_count(w);
        *fastest = fmax(*fastest, fabs(u));
    }
    return mean;
}

/* From the exact profile on for three times ρ R² / 6 η, and then a third of that. */
static pipe_flow flow_through(int across, tl_rheology rheology) {
    const double dx = pipe_radius / across, density = 1000, step = 0.01;
    setup s = setup_make(dx);
    setup_implicit(&s, step);
    s.material = (tl_material){.density = density, .rheology = rheology, .has_rheology = true};
    s.def.gravity[2] = -2 * wall_stress / (density * pipe_radius);
    fill_pipe(&s, across);
    for (size_t i = 0; i < s.count; i++) {
        double *v = s.seeds[i].velocity, *x = s.seeds[i].position;
        v[2] = -speed_at(&s.material, hypot(x[0], x[1]));
    }
    const double exact = speed_of(&s.material);
    const double weight = -density * s.def.gravity[2] * (double)s.count * dx * dx * dx;
    tl_world *w = setup_world(&s, 1);
    run_to(w, 0.3);
    const double before = spent(w);
    pipe_flow f = {0};
    for (int k = 1; k <= 10; k++) {
        run_to(w, 0.3 + step * k);
        f.speed += look_down(w, &f.fastest) / 10;
    }
    f.heat = (spent(w) - before) / (10 * step * weight * f.speed) - 1;
    f.speed = f.speed / exact - 1;
    f.fastest /= exact;
    cr_log_info("%d across: speed %+.1f %%, fastest %.2f of it, heat %+.1f %%", across,
                100 * f.speed, f.fastest, 100 * f.heat);
    tl_world_destroy(w);
    free_meshes(&s);
    return f;
}

static tl_rheology thinning(void) {
    tl_rheology r = {.model = TL_RHEOLOGY_POWER_LAW};
    r.law[TL_CONSISTENCY].value = 20;
    r.law[TL_EXPONENT].value = 0.5;
    r.law[TL_MAX_VISCOSITY].value = 2000;
    return r;
}

static tl_rheology jumping(void) {
    tl_rheology r = {.model = TL_RHEOLOGY_JUMP};
    r.law[TL_JUMP].value = 100;
    r.law[TL_EXPONENT].value = 0.5;
    r.law[TL_REFERENCE_VISCOSITY].value = 15;
    r.law[TL_REFERENCE_RATE].value = 1;
    return r;
}

Test(curved, matter_that_thins_runs_through_a_pipe_of_mesh_as_fast_as_it_should) {
    const pipe_flow coarse = flow_through(4, thinning()), fine = flow_through(6, thinning());
    const pipe_flow jump = flow_through(6, jumping());
    const pipe_flow all[3] = {coarse, fine, jump};
    for (int k = 0; k < 3; k++) {
        cr_expect_lt(fabs(all[k].speed), k == 0 ? 0.05 : 0.02, "%d: %g", k, all[k].speed);
        cr_expect_lt(all[k].fastest, 2, "%d: %g", k, all[k].fastest);
        cr_expect_lt(fabs(all[k].heat), 0.01, "%d: %g", k, all[k].heat);
    }
}
