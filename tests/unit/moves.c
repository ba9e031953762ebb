/* Poses, and walls that move by plan. */
#include "boundary/samples.h"
#include "boundary/shapes.h"

#include <criterion/criterion.h>
#include <math.h>

static const double pi = 3.14159265358979323846;

static void near_to(tl_vec3 found, double x, double y, double z) {
    cr_assert(tl_vec3_length(tl_vec3_sub(found, (tl_vec3){x, y, z})) < 1e-12,
              "(%.15g, %.15g, %.15g), not (%g, %g, %g)", found.x, found.y, found.z, x, y, z);
}

static tl_vec3 moved(const tl_move_def *moves, size_t count, double time, double x, double y,
                     double z) {
    const tl_param_list list = {(void *)(uintptr_t)moves, count};
    const tl_pose pose = tl_moves_at(&list, time);
    return tl_pose_apply(&pose, (tl_vec3){x, y, z});
}

/* ---- Poses ---- */

Test(pose, turns_go_counter_clockwise) {
    const tl_turn quarter = tl_turn_about((tl_vec3){0, 0, 1}, pi / 2);
    near_to(tl_turn_apply(quarter, (tl_vec3){1, 0, 0}), 0, 1, 0);
    near_to(tl_turn_apply(tl_turn_after(quarter, quarter), (tl_vec3){1, 2, 3}), -1, -2, 3);
    near_to(tl_turn_vector(quarter), 0, 0, pi / 2);
}

Test(pose, back_undoes_apply_and_after_is_one_after_the_other) {
    const tl_pose a = {{1, 2, 3}, tl_turn_by((tl_vec3){0.3, -0.7, 1.1})};
    const tl_pose b = {{-2, 0.5, 1}, tl_turn_by((tl_vec3){-1.3, 0.2, 0.4})};
    const tl_vec3 x = {0.4, 0.9, -1.7}, y = tl_pose_apply(&a, tl_pose_apply(&b, x));
    near_to(tl_pose_back(&a, tl_pose_apply(&a, x)), x.x, x.y, x.z);
    const tl_pose both = tl_pose_after(&a, &b);
    near_to(tl_pose_apply(&both, x), y.x, y.y, y.z);
}

/* ---- Moves ---- */

Test(moves, a_shift_begins_and_ends_when_it_should) {
    const tl_move_def move = {.along = TL_SIDE_MINUS_Z,
                              .has_speed = true,
                              .speed = 2,
                              .from = 1,
                              .has_until = true,
                              .until = 3};
    near_to(moved(&move, 1, 0.5, 1, 1, 1), 1, 1, 1);
    near_to(moved(&move, 1, 2, 1, 1, 1), 1, 1, -1);
    near_to(moved(&move, 1, 9, 1, 1, 1), 1, 1, -3);
}

Test(moves, a_turn_leaves_its_center_where_it_is) {
    const tl_move_def move = {
        .about = TL_SIDE_Y, .has_spin = true, .spin = pi, .center = {1, 5, 2}};
    near_to(moved(&move, 1, 0.37, 1, -3, 2), 1, -3, 2);
    near_to(moved(&move, 1, 0.5, 1, 0, 3), 2, 0, 2);
    near_to(moved(&move, 1, 1, 1, 0, 3), 1, 0, 1);
}

Test(moves, key_frames_are_joined_by_lines) {
    const double keys[][2] = {{0, 0}, {1, 0.2}, {2, -0.2}};
    const tl_move_def move = {.along = TL_SIDE_X,
                              .has_displacement = true,
                              .displacement = {.points = {(void *)(uintptr_t)keys, 3}},
                              .from = 1};
    near_to(moved(&move, 1, 1.5, 0, 0, 0), 0.1, 0, 0);
    near_to(moved(&move, 1, 2.5, 0, 0, 0), 0, 0, 0);
    near_to(moved(&move, 1, 50, 0, 0, 0), -0.2, 0, 0);
}

Test(moves, each_goes_on_from_where_those_before_it_ended) {
    const tl_move_def roll[] = {{.about = TL_SIDE_Z, .has_spin = true, .spin = pi / 2},
                                {.along = TL_SIDE_X, .has_speed = true, .speed = 3}};
    near_to(moved(roll, 2, 1, 1, 0, 0), 3, 1, 0);
    const tl_move_def swing[] = {roll[1], roll[0]};
    near_to(moved(swing, 2, 1, 1, 0, 0), 0, 4, 0);
}

Test(moves, to_and_fro_is_a_sine) {
    const tl_move_def shake = {.along = TL_SIDE_Y, .has_shake = true, .shake = 0.5, .frequency = 2};
    near_to(moved(&shake, 1, 0.125, 0, 0, 0), 0, 0.5, 0);
    near_to(moved(&shake, 1, 0.5, 0, 0, 0), 0, 0, 0);
    const tl_move_def rock = {.about = TL_SIDE_X, .has_rock = true, .rock = pi / 2, .frequency = 1};
    near_to(moved(&rock, 1, 0.25, 0, 1, 0), 0, 0, 1);
}

/* No point of the box is faster than the bound, found by differences over two turns. */
Test(moves, the_fastest_point_is_bounded) {
    const tl_move_def moves[] = {
        {.about = TL_SIDE_Z, .has_rock = true, .rock = 1, .frequency = 0.7, .center = {0.2, 0, 0}},
        {.along = TL_SIDE_X, .has_shake = true, .shake = 0.1, .frequency = 1.3}};
    const tl_param_list list = {(void *)(uintptr_t)moves, 2};
    const double bound = tl_moves_fastest(&list, (tl_vec3){-1, -1, -1}, (tl_vec3){1, 1, 1});
    double fastest = 0;
    for (double t = 0; t < 3; t += 0.01) {
        const tl_vec3 a = moved(moves, 2, t, -1, 1, 1), b = moved(moves, 2, t + 1e-4, -1, 1, 1);
        fastest = fmax(fastest, tl_vec3_length(tl_vec3_sub(b, a)) / 1e-4);
    }
    cr_assert(fastest < bound && fastest > 0.4 * bound, "%g of %g m/s", fastest, bound);
}

/* ---- Shapes ---- */

static tl_shapes shapes_of(tl_wall_def *wall, tl_move_def *moves, size_t count) {
    tl_shapes shapes;
    tl_error error = {0};
    wall->motion = (tl_param_list){moves, count};
    cr_assert_eq(tl_shapes_make(wall, 1, &shapes, &error), TL_OK, "%s", error.what);
    return shapes;
}

Test(shapes, a_box_that_turned_is_as_far_as_the_box_was) {
    tl_wall_def wall = {.box = {{0, 0, 0}, {2, 1, 1}}, .has_box = true, .outside = true};
    tl_move_def moves[] = {{.about = TL_SIDE_Z, .has_spin = true, .spin = pi / 2},
                           {.along = TL_SIDE_Z, .has_speed = true, .speed = 1}};
    tl_shapes s = shapes_of(&wall, moves, 2);
    tl_shapes_aim(&s, 1, 1.5);
    tl_vec3 normal; /* it stands now in x from -1 to 0, y from 0 to 2, z from 1 to 2 */
    cr_assert_float_eq(tl_shape_distance(&s.items[0], (tl_vec3){0.3, 1, 1.5}, &normal), 0.3, 1e-12);
    near_to(normal, 1, 0, 0);
    cr_assert_float_eq(tl_shape_distance(&s.items[0], (tl_vec3){-0.5, 1, 2.25}, &normal), 0.25,
                       1e-12);
    near_to(normal, 0, 0, 1);
    tl_shapes_free(&s);
}

/* Points of the solid go along chords: from one end of the step they reach the other. */
Test(shapes, velocities_lead_from_one_end_of_a_step_to_the_other) {
    tl_wall_def wall = {.plane = TL_SIDE_Z};
    tl_move_def moves[] = {{.about = TL_SIDE_Y, .has_spin = true, .spin = 2, .center = {3, 0, 1}},
                           {.along = TL_SIDE_X, .has_shake = true, .shake = 0.2, .frequency = 1}};
    tl_shapes s = shapes_of(&wall, moves, 2);
    const double from = 0.3, to = 0.45;
    const tl_pose start = tl_moves_at(&wall.motion, from), end = tl_moves_at(&wall.motion, to);
    const tl_vec3 point = {0.7, -0.4, 0}, a = tl_pose_apply(&start, point),
                  b = tl_pose_apply(&end, point);
    tl_shapes_aim(&s, from, to);
    const tl_vec3 ahead = tl_vec3_mad(a, to - from, tl_shape_velocity(&s.items[0], a));
    near_to(ahead, b.x, b.y, b.z);
    tl_shapes_arrive(&s);
    const tl_vec3 behind = tl_vec3_mad(b, from - to, tl_shape_velocity(&s.items[0], b));
    near_to(behind, a.x, a.y, a.z);
    tl_shapes_free(&s);
}

/* ---- Samples ---- */

Test(samples, stay_below_surfaces_that_move) {
    tl_wall_def walls[] = {{.plane = TL_SIDE_Z},
                           {.box = {{0, 0, 0}, {2, 2, 1}}, .has_box = true, .outside = true}};
    for (int w = 0; w < 2; w++) {
        tl_move_def moves[] = {
            {.about = TL_SIDE_Y, .has_spin = true, .spin = 0.4, .center = {0.3, 0, 0}},
            {.along = TL_SIDE_Z, .has_speed = true, .speed = 0.7}};
        tl_shapes s = shapes_of(&walls[w], moves, 2);
        tl_shapes_aim(&s, 1, 1.1);
        const tl_sampling sampling = {
            .spacing = 0.1, .reach = 0.25, .depth = 0.2, .origin = {0.1, 0, 0.2}};
        const tl_vec3 matter = tl_pose_apply(&s.items[0].pose, (tl_vec3){1.02, 0.98, w + 0.04});
        const float place[4] = {(float)(matter.x - 0.1), (float)matter.y, (float)(matter.z - 0.2)};
        tl_samples samples = {0};
        tl_error error = {0};
        cr_assert_eq(tl_samples_make(&samples, &s, &sampling, place, 4, 1, &error), TL_OK);
        cr_assert_gt(samples.count, 20);
        for (size_t k = 0; k < samples.count; k++) {
            const tl_sample *own = &samples.items[k];
            const tl_vec3 x = {(double)own->position[0] + 0.1, (double)own->position[1],
                               (double)own->position[2] + 0.2};
            tl_vec3 normal;
            const double distance = tl_shape_distance(&s.items[0], x, &normal);
            cr_assert_float_eq(distance, -(double)own->depth, 1e-6);
            cr_assert(own->depth > 0.04f && own->depth < 0.2f && own->share == 1);
            cr_assert_float_eq(
                tl_vec3_dot(normal, (tl_vec3){(double)own->normal[0], (double)own->normal[1],
                                              (double)own->normal[2]}),
                1, 1e-6);
        }
        tl_samples_free(&samples);
        tl_shapes_free(&s);
    }
}
