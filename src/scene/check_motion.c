/* Checks of how walls move by plan. See check.h. */
#include "scene/check.h"

#include "boundary/move.h"
#include "scene/schema.h"

static void check_move(const tl_move_def *m, const tl_yaml_node *at, const char *wall,
                       tl_report *report) {
    static const char hint[] = "write {speed: 5 cm/s, along: x}, {spin: 2 rev/s, about: z}, or one "
                               "of displacement, shake, angle and rock";
    const int shifts = m->has_speed + m->has_displacement + m->has_shake;
    const int turns = m->has_spin + m->has_angle + m->has_rock;
    if (shifts + turns != 1) {
        tl_report_error(report, at, hint,
                        shifts + turns ? "a move of wall \"%.60s\" is more than one"
                                       : "a move of wall \"%.60s\" goes nowhere",
                        wall);
        return;
    }
    if (shifts && m->along == TL_SIDE_NONE)
        tl_report_error(report, at, "add along: x", "a shift of wall \"%.60s\" has no direction",
                        wall);
    if (turns && m->about == TL_SIDE_NONE)
        tl_report_error(report, at, "add about: z, and a center that the axis goes through",
                        "a turn of wall \"%.60s\" has no axis", wall);
    const char *idle = shifts && m->about != TL_SIDE_NONE  ? "about"
                       : turns && m->along != TL_SIDE_NONE ? "along"
                                                           : NULL;
    if (idle)
        tl_report_warning(report, tl_yaml_place(at, "%s", idle), NULL, "%s does nothing in a %s",
                          idle, shifts ? "shift" : "turn");
    if (m->has_until && !(m->until > m->from))
        tl_report_error(report, tl_yaml_place(at, "until"), NULL,
                        "a move of wall \"%.60s\" ends before it begins: %g s <= %g s", wall,
                        m->until, m->from);
}

static void check_driven(const tl_scene *scene, const tl_wall_def *wall, const tl_yaml_node *at,
                         tl_report *report) {
    if (wall->motion.count)
        tl_report_error(report, at, "leave out motion, or driven",
                        "wall \"%.60s\" moves by plan and is driven", wall->name);
    if (scene->dynamics == TL_DYNAMICS_COHESIVE)
        tl_report_error(report, at, "use dynamics: flow, or walls at rest",
                        "thermal particles know no walls that move");
    if (scene->has_periodic)
        tl_report_error(report, at, "leave out periodic, or let the wall be a belt (velocity)",
                        "walls of a periodic world cannot move");
}

void tl_scene_check_motion(const tl_scene *scene, const tl_yaml_node *root, tl_report *report) {
    const tl_wall_def *walls = scene->walls.items;
    for (size_t i = 0; i < scene->walls.count; i++) {
        const tl_yaml_node *at = tl_yaml_place(root, "walls.%zu.motion", i);
        for (size_t k = 0; k < walls[i].motion.count; k++)
            check_move((const tl_move_def *)walls[i].motion.items + k, tl_yaml_place(at, "%zu", k),
                       walls[i].name, report);
        if (walls[i].has_driven)
            check_driven(scene, &walls[i], tl_yaml_place(root, "walls.%zu.driven", i), report);
        if (walls[i].motion.count && scene->dynamics == TL_DYNAMICS_COHESIVE)
            tl_report_error(report, at, "use dynamics: flow, or walls at rest",
                            "thermal particles know no walls that move");
        if (walls[i].motion.count && scene->has_periodic)
            tl_report_error(report, at, "leave out periodic, or let the wall be a belt (velocity)",
                            "walls of a periodic world cannot move");
    }
}
