/* Checks of heat at the surface: sources, and the air. See check.h. */
#include "scene/check.h"

#include "scene/schema.h"
#include "scene/shapes.h"

/* Surfaces are found from neighbours within so many spacings (records/exposed.h). */
static const double least_support = 2;

typedef struct site {
    const tl_scene *scene;
    tl_report *report;
    const tl_yaml_node *node; /* of the source */
    const tl_source_def *source;
} site;

static void check_shape(const site *s) {
    static const char *const shapes[] = {"point", "sphere", "disc"};
    const tl_source_def *source = s->source;
    if (source->shape != TL_SOURCE_POINT && !(source->radius > 0))
        tl_report_error(s->report, s->node, "give it a radius, or make it a point",
                        "source \"%.60s\" is a %s without a radius", source->name,
                        shapes[source->shape]);
    if (source->shape == TL_SOURCE_POINT && source->radius > 0)
        tl_report_error(s->report, tl_yaml_place(s->node, "radius"),
                        "leave it out, or say shape: sphere",
                        "source \"%.60s\" is a point, which has no radius", source->name);
    if (source->shape == TL_SOURCE_DISC && tl_vec3_length(tl_vec3_of(source->normal)) == 0)
        tl_report_error(s->report, tl_yaml_place(s->node, "normal"), "write normal: [0, 0, -1]",
                        "the normal of source \"%.60s\" is zero", source->name);
    const bool by_kernel = source->fall_off != TL_FALL_OFF_SQUARE;
    if (by_kernel != (source->reach > 0))
        tl_report_error(s->report, tl_yaml_place(s->node, by_kernel ? "fall_off" : "reach"),
                        "give both fall_off: kernel and a reach, or neither",
                        by_kernel ? "the kernel of source \"%.60s\" has no reach"
                                  : "source \"%.60s\" has a reach, but no kernel that ends there",
                        source->name);
}

/* A flame on a wick has its place from that, burns to all sides, and needs something to soak up. */
static void check_wick(const site *s) {
    const tl_source_def *source = s->source;
    if (!source->has_wick && !source->has_position) {
        tl_report_error(s->report, s->node, "give it a position, or a wick",
                        "source \"%.60s\" has no position", source->name);
        return;
    }
    if (!source->has_wick)
        return;
    const tl_yaml_node *at = tl_yaml_place(s->node, "wick");
    if (source->has_position)
        tl_report_error(s->report, tl_yaml_place(s->node, "position"), "leave it out",
                        "source \"%.60s\" has a wick, and sits on its tip", source->name);
    if (tl_vec3_length(tl_vec3_of(source->velocity)) > 0)
        tl_report_error(s->report, tl_yaml_place(s->node, "velocity"), "leave it out",
                        "source \"%.60s\" has a wick, and goes down with it", source->name);
    if (source->shape == TL_SOURCE_DISC)
        tl_report_error(s->report, tl_yaml_place(s->node, "shape"), "say shape: sphere",
                        "source \"%.60s\" has a wick, and a flame is no disc", source->name);
    if (!(tl_wick_reach(&source->wick) > 0))
        tl_report_error(s->report, at, "put its tip above its foot",
                        "the wick of source \"%.60s\" has no length", source->name);
    else if (!(tl_vec3_length(tl_wick_lean(&source->wick)) > 0.5))
        tl_report_error(s->report, at, "let it blow from another side, or less",
                        "the draught of source \"%.60s\" holds its flame down", source->name);
    const tl_material *materials = s->scene->materials.items;
    bool melts = false;
    for (size_t m = 0; m < s->scene->materials.count; m++)
        melts = melts || materials[m].has_solidus || materials[m].has_liquidus;
    if (!melts)
        tl_report_warning(s->report, at, "give a material a solidus and a liquidus",
                          "source \"%.60s\" has a wick, but nothing melts", source->name);
}

/* Where it is at the start; later it may move into anything. */
static void check_place(const site *s) {
    const tl_vec3 x = tl_vec3_of(s->source->position);
    const tl_yaml_node *at = tl_yaml_place(s->node, "position");
    const tl_body_def *bodies = s->scene->bodies.items;
    const tl_wall_def *walls = s->scene->walls.items;
    for (size_t i = 0; i < s->scene->bodies.count; i++)
        if (tl_body_depth(&bodies[i], x) > 0) {
            tl_report_error(s->report, at, "move it out of the body",
                            "source \"%.60s\" is inside of body \"%.60s\"", s->source->name,
                            bodies[i].name);
            return;
        }
    for (size_t i = 0; i < s->scene->walls.count; i++) {
        tl_vec3 normal[6];
        double offset[6];
        bool inside = tl_wall_is_obstacle(&walls[i]) && tl_obstacle_holds(&walls[i], x);
        const int faces = tl_wall_faces(&walls[i], normal, offset);
        for (int f = 0; f < faces; f++)
            inside = inside || tl_vec3_dot(normal[f], x) < offset[f];
        if (inside)
            tl_report_error(
                s->report, at, "move it to the side of the wall where the matter is",
                "source \"%.60s\" is in or behind wall \"%.60s\", and shines on nothing",
                s->source->name, walls[i].name);
    }
}

/* Materials that take up no light, or radiate none, where they could. */
static void check_materials(const tl_scene *scene, const tl_yaml_node *root, tl_report *report) {
    const tl_material *materials = scene->materials.items;
    for (size_t m = 0; m < scene->materials.count && scene->sources.count > 0; m++) {
        const tl_yaml_node *given = tl_yaml_get(tl_yaml_get(root, "materials"), materials[m].name);
        if (materials[m].absorptivity == 0)
            tl_report_warning(report, given ? given : root,
                              "add its emissivity: 0.9 for most matter, 0.05 to 0.3 for bare metal",
                              "material \"%.60s\" takes up nothing from sources",
                              materials[m].name);
    }
}

void tl_scene_check_sources(const tl_scene *scene, const tl_yaml_node *root, tl_report *report) {
    const tl_source_def *sources = scene->sources.items;
    for (size_t i = 0; i < scene->sources.count; i++) {
        const site s = {scene, report, tl_yaml_place(root, "sources.%zu", i), &sources[i]};
        check_shape(&s);
        check_wick(&s);
        if (sources[i].has_position || sources[i].has_wick)
            check_place(&s);
    }
    bool burns = false;
    for (size_t i = 0; i < scene->sources.count; i++)
        burns = burns || sources[i].has_wick;
    if (burns && scene->sources.count > TL_MAX_FLAMES)
        tl_report_error(report, tl_yaml_place(root, "sources"), "leave some out",
                        "where wicks burn there are %d sources at most, not %zu", TL_MAX_FLAMES,
                        scene->sources.count);
    check_materials(scene, root, report);
    if (scene->heat.convection > 0 && !scene->heat.has_ambient)
        tl_report_error(report, tl_yaml_place(root, "heat.convection"),
                        "add ambient: 20 °C to heat", "air takes heat, but has no temperature");
    const bool wanted = scene->sources.count > 0 || scene->heat.has_ambient;
    if (wanted && tl_flow_support(&scene->flow) < least_support)
        tl_report_error(report, tl_yaml_place(root, "flow.support"), "make it at least 2",
                        "a support of %g spacings is too small to find surfaces",
                        tl_flow_support(&scene->flow));
}
