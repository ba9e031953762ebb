/* Emitters and drains: as much comes and goes as the books say, where there is room, with the same
 * bits for any number of threads and after any resume. */
#include "base/parallel.h"
#include "scene/schema.h"
#include "scratch_folder.h"
#include "world/world.h"

#include <criterion/criterion.h>
#include <math.h>

static const double dx = 0.01, pi = 3.14159265358979323846;

TestSuite(emit, .init = scratch_make, .fini = scratch_remove);

/* ---- Schedules and nozzles ---- */

Test(schedule, integrals_are_those_of_the_lines) {
    double points[4][2] = {{1, 0}, {2, 3}, {2.5, 3}, {3, 1}};
    const tl_schedule s = {0, {points, 4}}, constant = {.value = 2};
    cr_expect_float_eq(tl_schedule_integral(&s, -1, 5), 1.5 + 1.5 + 1 + 2, 1e-14);
    cr_expect_float_eq(tl_schedule_integral(&s, 1.5, 2.25), 0.5 * 0.5 * 4.5 + 0.75, 1e-14);
    cr_expect_float_eq(tl_schedule_integral(&s, 2.1, 2.2), 0.3, 1e-14);
    cr_expect_float_eq(tl_schedule_integral(&constant, 3, 7), 8, 1e-14);
    cr_expect_eq(tl_schedule_peak(&s), 3);
}

static tl_emitter_def disc(double radius) {
    return (tl_emitter_def){.name = (char *)"tap",
                            .has_disc = true,
                            .disc = {{0.1, 0.2, 0.3}, {0.1, 0.2, -2}, radius},
                            .has_speed = true,
                            .speed.value = 0.4};
}

Test(nozzle, a_layer_fills_its_mouth_exactly) {
    for (double radius = 1; radius < 9; radius += 0.37) {
        const tl_emitter_def e = disc(radius * dx);
        tl_nozzle n;
        cr_assert_eq(tl_nozzle_make(&e, dx, &n, NULL), TL_OK);
        cr_expect_float_eq((double)n.count * dx * dx * dx, pi * radius * radius * dx * dx * n.layer,
                           1e-12 * dx);
        cr_expect(n.layer > 0.75 * dx && n.layer < 1.35 * dx, "%g: %g", radius, n.layer / dx);
        for (size_t i = 0; i < n.count; i++) {
            const tl_vec3 x = tl_nozzle_place(&n, 0, 0.25, i);
            cr_expect_float_eq(tl_nozzle_depth(&n, 0, x), 0.25, 1e-12);
            cr_expect_lt(hypot(n.sites[i][0], n.sites[i][1]), 1.15 * radius * dx);
            for (size_t j = 0; j < i; j++)
                cr_expect_gt(hypot(n.sites[i][0] - n.sites[j][0], n.sites[i][1] - n.sites[j][1]),
                             0.85 * dx);
        }
        tl_nozzle_free(&n);
    }
}

/* The part of the outermost particles that stand out `count` times around the strand, 0 to 1. */
static double flutes_of(const tl_nozzle *n, int count) {
    double even = 0, odd = 0, all = 0;
    for (size_t i = 0; i < n->count; i++) {
        const double u = n->sites[i][0], v = n->sites[i][1];
        if (hypot(u, v) < n->reach - dx)
            continue;
        even += cos(count * atan2(v, u)), odd += sin(count * atan2(v, u)), all++;
    }
    return (even * even + odd * odd) / all / all;
}

/* On a lattice that is cut round there are four or eight, each some spacings wide. */
Test(nozzle, round_strands_are_round_and_have_no_flutes) {
    for (double radius = 2; radius < 9; radius += 0.53) {
        const tl_emitter_def e = disc(radius * dx);
        tl_nozzle n;
        double farthest = 0, outermost = 0;
        cr_assert_eq(tl_nozzle_make(&e, dx, &n, NULL), TL_OK);
        for (size_t i = 0; i < n.count; i++) {
            const double away = hypot(n.sites[i][0], n.sites[i][1]);
            farthest = fmax(farthest, away);
            outermost += away > n.reach - dx;
        }
        cr_expect_float_eq(farthest, (radius - 0.5) * dx, 1e-9, "half a spacing inside the rim");
        cr_expect_float_eq(outermost, 2 * pi * (radius - 0.5), 1, "%g around %g", outermost,
                           radius);
        for (int count = 1; count < (int)outermost; count++)
            cr_expect_lt(flutes_of(&n, count), 1e-9, "%g spacings: %d flutes", radius, count);
        tl_nozzle_free(&n);
    }
}

/* An L of 5 squares of 4 spacings, which faces down at z = 0.3. */
static tl_emitter_def ell(void) {
    static const double squares[5][2] = {{0, 0}, {1, 0}, {2, 0}, {0, 1}, {0, 2}};
    tl_emitter_def e = {
        .name = (char *)"ell", .form.has_mesh = true, .has_speed = true, .speed.value = 0.4};
    for (uint32_t k = 0; k < 5; k++) {
        for (uint32_t c = 0; c < 4; c++) /* around, as seen from above */
            tl_mesh_add_vertex(&e.mesh,
                               (tl_vec3){4 * dx * (squares[k][0] + (c == 1 || c == 2)),
                                         4 * dx * (squares[k][1] + c / 2), 0.3},
                               NULL);
        tl_mesh_add_triangle(&e.mesh, 4 * k, 4 * k + 2, 4 * k + 1, NULL);
        tl_mesh_add_triangle(&e.mesh, 4 * k, 4 * k + 3, 4 * k + 2, NULL);
    }
    return e;
}

Test(nozzle, a_mouth_may_be_a_flat_mesh_of_any_outline) {
    tl_emitter_def e = ell();
    tl_nozzle n;
    tl_error error = {0};
    cr_assert_eq(tl_nozzle_make(&e, dx, &n, &error), TL_OK, "%s", error.what);
    cr_expect_float_eq(n.area, 80 * dx * dx, 1e-12);
    cr_expect_float_eq(n.direction.z, -1, 1e-12);
    cr_expect_float_eq((double)n.count * dx * dx * dx, n.area * n.layer, 1e-15);
    cr_expect_eq(n.count, 80);
    for (size_t i = 0; i < n.count; i++) {
        const tl_vec3 x = tl_nozzle_place(&n, 0, 0.1, i);
        cr_expect_float_eq(x.z, 0.2, 1e-12);
        cr_expect(x.x >= 0 && x.y >= 0 && fmax(x.x, x.y) <= 12 * dx && fmin(x.x, x.y) <= 4 * dx,
                  "at %g, %g", x.x, x.y);
        for (size_t j = 0; j < i; j++)
            cr_expect_gt(hypot(n.sites[i][0] - n.sites[j][0], n.sites[i][1] - n.sites[j][1]),
                         0.99 * dx);
    }
    tl_nozzle_free(&n);
    tl_mesh_free(&e.mesh);
}

Test(nozzle, meshes_that_are_not_flat_or_too_narrow_are_refused) {
    tl_emitter_def e = ell();
    tl_nozzle n;
    tl_error error = {0};
    for (size_t i = 0; i < e.mesh.vertex_count; i++)
        e.mesh.vertices[i].x *= 10, e.mesh.vertices[i].y /= 10;
    cr_expect_eq(tl_nozzle_make(&e, dx, &n, &error), TL_BAD_INPUT);
    cr_expect(strstr(error.what, "too narrow"), "%s", error.what);
    tl_mesh_free(&e.mesh);
    e = ell();
    e.mesh.vertices[2].z += 0.1 * dx;
    cr_expect_eq(tl_nozzle_make(&e, dx, &n, &error), TL_BAD_INPUT);
    cr_expect(strstr(error.what, "not flat"), "%s", error.what);
    e.mesh.vertices[2].z -= 0.1 * dx;
    const uint32_t swapped = e.mesh.triangles[3][0];
    e.mesh.triangles[3][0] = e.mesh.triangles[3][1];
    e.mesh.triangles[3][1] = swapped;
    cr_expect_eq(tl_nozzle_make(&e, dx, &n, &error), TL_BAD_INPUT);
    tl_mesh_free(&e.mesh);
}

Test(nozzle, none_without_direction_or_of_senseless_size) {
    tl_nozzle n;
    tl_emitter_def e = disc(0.05);
    e.disc.direction[0] = e.disc.direction[1] = e.disc.direction[2] = 0;
    cr_expect_eq(tl_nozzle_make(&e, dx, &n, NULL), TL_BAD_INPUT);
    e = disc(1e6);
    cr_expect_eq(tl_nozzle_make(&e, dx, &n, NULL), TL_BAD_INPUT);
    e = disc(0.1 * dx);
    cr_expect_eq(tl_nozzle_make(&e, dx, &n, NULL), TL_BAD_INPUT);
}

/* ---- Worlds ---- */

typedef struct setup {
    tl_world_def def;
    tl_material material;
    tl_emitter_def emitter;
    tl_wall_def wall;
    tl_drain_def drain;
} setup;

/* A tap that points down, of a liquid for the scheme. */
static void prepare(setup *s, int scheme) {
    *s = (setup){.def = {.spacing = dx, .gravity = {0, 0, -9.81}},
                 .material = {.density = 1000,
                              .viscosity.value = scheme == TL_SCHEME_EXPLICIT ? 0.1 : 20,
                              .specific_heat = 2000,
                              .conductivity = 0.5},
                 .emitter = disc(0.025)};
    const tl_disc_def mouth = {{0, 0, 0.3}, {0, 0, -1}, 0.025};
    s->emitter.disc = mouth;
    s->emitter.temperature.value = 60;
    cr_assert(tl_schema_defaults(&tl_flow_table, &s->def.flow));
    cr_assert(tl_schema_defaults(&tl_heat_table, &s->def.heat));
    s->def.flow.scheme = scheme;
    s->def.materials = &s->material;
    s->def.material_count = 1;
    s->def.emitters = &s->emitter;
    s->def.emitter_count = 1;
}

static void add_floor(setup *s) {
    s->wall = (tl_wall_def){.plane = TL_SIDE_Z};
    s->def.walls = &s->wall;
    s->def.wall_count = 1;
}

static void add_drain(setup *s, double below) {
    s->drain = (tl_drain_def){.plane = TL_SIDE_Z, .at = below};
    s->def.drains = &s->drain;
    s->def.drain_count = 1;
}

static tl_world *make(const setup *s, int threads) {
    tl_world *world;
    tl_error error = {0};
    const tl_world_options options = {.threads = threads};
    cr_assert_eq(tl_world_make(&s->def, &options, &world, &error), TL_OK, "%s: %s", error.where,
                 error.what);
    tl_world_make_adverse(world);
    return world;
}

static void run_to(tl_world *world, double time) {
    tl_error error = {0};
    cr_assert_eq(tl_world_advance(world, time, &error), TL_OK, "%s: %s", error.where, error.what);
}

static tl_ledger books(const tl_world *world) {
    tl_ledger ledger;
    tl_world_ledger(world, &ledger);
    return ledger;
}

static void *field(tl_world *world, const char *name) {
    tl_field_view view;
    cr_assert(tl_world_field(world, name, &view), "no field %s", name);
    return view.data;
}

static const int schemes[2] = {TL_SCHEME_EXPLICIT, TL_SCHEME_COUPLED};

/* The least distance between a particle with this id or a later one and any other. */
static double least_distance(tl_world *world, uint64_t first) {
    const size_t n = tl_world_count(world);
    const double *x = field(world, "position");
    const uint64_t *id = field(world, "id");
    double least = HUGE_VAL;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n && id[i] >= first; j++)
            if (i != j)
                least = fmin(least, hypot(hypot(x[3 * i] - x[3 * j], x[3 * i + 1] - x[3 * j + 1]),
                                          x[3 * i + 2] - x[3 * j + 2]));
    return least;
}

Test(emit, as_much_comes_out_as_the_rate_says_and_where_there_is_room) {
    double pulses[][2] = {{0, 0}, {0.05, 0.5}, {0.15, 0.5}, {0.2, 0}, {0.3, 0.4}};
    for (int k = 0; k < 2; k++) {
        setup s;
        prepare(&s, schemes[k]);
        s.emitter.speed = (tl_schedule){0, {pulses, 5}};
        s.emitter.from = 0.02;
        s.emitter.has_until = true;
        s.emitter.until = 0.36;
        add_floor(&s);
        tl_world *world = make(&s, 1);
        tl_nozzle n;
        cr_assert_eq(tl_nozzle_make(&s.emitter, dx, &n, NULL), TL_OK);
        double nearest = HUGE_VAL;
        size_t before = 0;
        while (tl_world_time(world) < 0.4) {
            cr_assert_eq(tl_world_step(world, NULL, NULL), TL_OK);
            const double way =
                tl_schedule_integral(&s.emitter.speed, fmin(0.02, tl_world_time(world)),
                                     fmin(tl_world_time(world), 0.36));
            const double volume = (double)tl_world_count(world) * dx * dx * dx;
            cr_assert(volume <= n.area * way * (1 + 1e-9) &&
                          volume > n.area * (way - n.layer) * (1 - 1e-9),
                      "%g m³ of %g m³ at %g s", volume, n.area * way, tl_world_time(world));
            if (tl_world_count(world) > before)
                nearest = fmin(nearest, least_distance(world, before));
            before = tl_world_count(world);
        }
        cr_expect_gt(nearest, 0.5 * dx, "%g spacings", nearest / dx);
        const uint64_t *id = field(world, "id");
        bool seen[2000] = {false};
        for (size_t i = 0; i < before; i++) {
            cr_assert(id[i] < before && !seen[id[i]]);
            seen[id[i]] = true;
        }
        cr_expect_gt(before, 150);
        cr_expect_eq(books(world).blocked_time, 0);
        tl_nozzle_free(&n);
        tl_world_destroy(world);
    }
}

Test(emit, closes_at_its_limit) {
    setup s;
    prepare(&s, TL_SCHEME_EXPLICIT);
    s.emitter.has_limit = true;
    s.emitter.limit = 1e-4;
    tl_world *world = make(&s, 1);
    run_to(world, 0.3);
    const size_t n = tl_world_count(world);
    cr_expect(n <= 100 && n > 70, "%zu", n);
    run_to(world, 0.4);
    cr_expect_eq(tl_world_count(world), n);
    tl_world_destroy(world);
}

/* What is in the nozzle when an emitter ends falls out of it, and does not hang in the air. */
Test(emit, lets_go_what_it_holds_when_it_ends) {
    for (int k = 0; k < 4; k++) {
        setup s;
        prepare(&s, schemes[k % 2]);
        s.emitter.has_until = k < 2;
        s.emitter.until = 0.1;
        s.emitter.has_limit = k >= 2;
        s.emitter.limit = 5e-5;
        tl_world *world = make(&s, 1);
        run_to(world, 0.6);
        const double *x = field(world, "position");
        const uint8_t *nozzle = field(world, "nozzle");
        cr_expect_gt(tl_world_count(world), 10);
        for (size_t i = 0; i < tl_world_count(world); i++) {
            cr_expect_eq(nozzle[i], 0);
            cr_expect_lt(x[3 * i + 2], s.emitter.disc.center[2] - 0.2);
        }
        tl_world_destroy(world);
    }
}

/* Impulses of emitters, drains and gravity are all the momentum there is; works and heats are all
 * the energy. */
Test(emit, books_of_momentum_energy_and_heat_are_closed) {
    for (int k = 0; k < 2; k++) {
        setup s;
        prepare(&s, schemes[k]);
        s.def.with_heat = true;
        add_drain(&s, 0.1);
        tl_world *world = make(&s, 1);
        double weight = 0, last = 0;
        while (tl_world_time(world) < 0.5) {
            const double mass = books(world).mass;
            cr_assert_eq(tl_world_step(world, NULL, NULL), TL_OK);
            weight -= 9.81 * mass * (tl_world_time(world) - last);
            last = tl_world_time(world);
        }
        const tl_ledger l = books(world);
        const double momentum = l.emitter_impulse[2] - l.drained_impulse[2] + weight;
        cr_log_info("%s: %g kg in, %g kg out; momentum %g, %g N s; unexplained %g of %g J, heat "
                    "%g of %g J",
                    k ? "coupled" : "explicit", l.emitted_mass, l.drained_mass, l.momentum[2],
                    momentum, l.energy_error, l.emitted_energy, l.heat_error, l.emitted_heat);
        cr_expect_gt(l.drained_mass, 0.1 * l.emitted_mass);
        cr_expect_float_eq(l.mass, l.emitted_mass - l.drained_mass, 1e-9 * l.emitted_mass);
        /* To within the tolerance of a solve. */
        cr_expect_float_eq(l.momentum[2], momentum, (k ? 1e-3 : 1e-4) * fabs(weight));
        cr_expect_lt(fabs(l.energy_error), 0.01 * l.emitted_energy);
        cr_expect_float_eq(l.emitted_heat, l.emitted_mass * 2000 * 60, 1e-6 * l.emitted_heat);
        cr_expect_float_eq(l.drained_heat, l.drained_mass * 2000 * 60, 1e-3 * l.drained_heat);
        cr_expect_lt(fabs(l.heat_error), 1e-9 * l.emitted_heat);
        tl_world_destroy(world);
    }
}

/* v(z)² = v0² + 2 g z below the nozzle, which ends 3 spacings below the mouth. */
Test(emit, a_jet_falls_and_thins_as_it_must) {
    setup s;
    prepare(&s, TL_SCHEME_EXPLICIT);
    s.material.viscosity.value = 1e-3;
    s.emitter.speed.value = 1;
    add_drain(&s, -0.3);
    tl_world *world = make(&s, 1);
    run_to(world, 0.5);
    const double *x = field(world, "position"), *v = field(world, "velocity");
    double sum[8] = {0}, ideal[8] = {0}, count[8] = {0}, all = 0;
    for (size_t i = 0; i < tl_world_count(world); i++) {
        const double fall = 0.27 - x[3 * i + 2];
        const int bin = (int)(fall / 0.06);
        if (fall < 0 || bin > 7)
            continue;
        count[bin]++;
        sum[bin] -= v[3 * i + 2];
        ideal[bin] += sqrt(1 + 2 * 9.81 * fall);
        all++;
    }
    for (int b = 0; b < 8; b++) {
        cr_log_info("%.2f m: %g of %g m/s, %g particles", 0.06 * (b + 0.5), sum[b] / count[b],
                    ideal[b] / count[b], count[b]);
        cr_expect_float_eq(sum[b] / ideal[b], 1, 0.02, "%d: %g", b, sum[b] / ideal[b]);
    }
    /* There are as many as came out in the time that it takes to fall so far. */
    const double time = (sqrt(1 + 2 * 9.81 * 0.48) - 1) / 9.81;
    const double expected = pi * 0.025 * 0.025 / (dx * dx * dx) * time;
    cr_log_info("%g particles of %g", all, expected);
    cr_expect_float_eq(all, expected, 1.5 * 21);
    tl_world_destroy(world);
}

Test(emit, waits_while_somebody_is_in_the_way) {
    setup s;
    prepare(&s, TL_SCHEME_EXPLICIT);
    s.def.gravity[2] = 0;
    const tl_seed seed = {.position = {0, 0, 0.3 - dx}};
    s.def.seeds = &seed;
    s.def.seed_count = 1;
    tl_world *world = make(&s, 1);
    run_to(world, 0.1);
    cr_expect_eq(tl_world_count(world), 1);
    cr_expect_gt(books(world).blocked_time, 0.05);
    double *x = field(world, "position"); /* out of the way */
    x[0] = 1;
    run_to(world, 0.15);
    cr_expect_gt(tl_world_count(world), 20);
    tl_world_destroy(world);
}

Test(emit, what_a_drain_takes_is_counted_and_all_may_go) {
    for (int k = 0; k < 2; k++) {
        setup s;
        prepare(&s, schemes[k]);
        s.emitter.has_until = true;
        s.emitter.until = 0.1;
        s.drain = (tl_drain_def){.has_box = true, .box = {{-1, -1, -1}, {1, 1, 0.22}}};
        s.def.drains = &s.drain;
        s.def.drain_count = 1;
        s.emitter.velocity[2] = -0.3; /* the nozzle goes into the drain in the end */
        tl_world *world = make(&s, 1);
        run_to(world, 0.15);
        const double *x = field(world, "position");
        for (size_t i = 0; i < tl_world_count(world); i++)
            cr_expect_gt(x[3 * i + 2], 0.22);
        run_to(world, 0.5);
        const tl_ledger l = books(world);
        cr_expect_eq(tl_world_count(world), 0);
        cr_expect_float_eq(l.drained_mass, l.emitted_mass, 1e-12);
        cr_expect_gt(l.drained_mass, 0.05);
        cr_expect_float_eq(l.emitter_work + l.emitted_energy - l.drained_energy - l.viscous_heat -
                               l.numerical_heat,
                           0, 0.02 * l.emitted_energy);
        run_to(world, 0.6);
        tl_world_destroy(world);
    }
}

Test(emit, bits_depend_neither_on_threads_nor_on_resuming) {
    for (int k = 0; k < 2; k++) {
        setup s;
        prepare(&s, schemes[k]);
        s.emitter.disc.radius = 0.05; /* several blocks of particles */
        s.def.with_heat = true;
        s.def.heat.has_ambient = true;
        s.def.flow.sound_speed = 10;
        add_floor(&s);
        s.drain = (tl_drain_def){.has_sphere = true, .sphere = {{0.02, 0, 0.24}, 0.015}};
        s.def.drains = &s.drain;
        s.def.drain_count = 1;
        tl_world *one = make(&s, 1), *three = make(&s, 3), *again = make(&s, 2);
        tl_error error = {0};
        for (int step = 0; step < (k ? 40 : 300); step++) {
            cr_assert_eq(tl_world_step(one, NULL, &error), TL_OK, "%s", error.what);
            cr_assert_eq(tl_world_step(three, NULL, &error), TL_OK, "%s", error.what);
            cr_assert_eq(tl_world_hash(one), tl_world_hash(three), "step %d", step);
            if (step % 37 == 5) {
                cr_assert_eq(tl_world_save(one, in_scratch("s.h5"), &error), TL_OK);
                cr_assert_eq(tl_world_restore(again, in_scratch("s.h5"), &error), TL_OK, "%s",
                             error.what);
            } else if (step > 5) {
                cr_assert_eq(tl_world_step(again, NULL, &error), TL_OK, "%s", error.what);
            }
            cr_assert(step < 5 || tl_world_hash(one) == tl_world_hash(again), "step %d", step);
        }
        cr_expect_gt(tl_world_count(one), TL_BLOCK, "%zu", tl_world_count(one));
        cr_expect_gt(books(one).drained_mass, 0);
        tl_world_destroy(one);
        tl_world_destroy(three);
        tl_world_destroy(again);
    }
}
