/* Checks of measures, and what they name. See check.h. */
#include "scene/check.h"

#include "base/text.h"
#include "measure/measure.h"
#include "scene/schema.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct site {
    tl_scene *scene;
    tl_report *report;
    const tl_yaml_node *node; /* of the measure */
} site;

/* The place that a measure has; TL_MEASURE_ALL when it has none. */
static int kind_of(const tl_measure_def *m, int *places) {
    const bool given[] = {
        [TL_MEASURE_POINT] = m->has_point,       [TL_MEASURE_LINE] = m->has_line,
        [TL_MEASURE_PLANE] = m->has_plane,       [TL_MEASURE_BODY] = m->has_body,
        [TL_MEASURE_MATERIAL] = m->has_material, [TL_MEASURE_WALL] = m->has_wall,
        [TL_MEASURE_BOX] = m->has_box,           [TL_MEASURE_SPHERE] = m->has_sphere};
    int kind = TL_MEASURE_ALL;
    *places = 0;
    for (int k = 0; k < TL_MEASURE_ALL; k++)
        if (given[k]) {
            kind = k;
            (*places)++;
        }
    return kind;
}

/* Finds the element that a measure names; reports the nearest name when there is none. */
static void find_named(const site *s, const char *key, const char *name, const tl_param_list *list,
                       size_t size, size_t *out) {
    const char **names = tl_allocate(list->count + 1, sizeof *names);
    char hint[160] = "";
    for (size_t i = 0; names && i < list->count; i++) {
        names[i] = *(char *const *)(const void *)((const char *)list->items + i * size);
        if (strcmp(names[i], name) == 0) {
            *out = i;
            free(names);
            return;
        }
    }
    const char *nearest = names ? tl_nearest_word(name, names, list->count) : NULL;
    if (nearest)
        snprintf(hint, sizeof hint, "did you mean %.100s?", nearest);
    tl_report_error(s->report, tl_yaml_place(s->node, "%s", key), hint,
                    "the scene has no %s called \"%.60s\"", key, name);
    free(names);
}

static void check_field(const site *s, const tl_measure_def *m) {
    size_t count = 0;
    if (!m->field) {
        if (m->kind == TL_MEASURE_POINT || m->kind == TL_MEASURE_LINE)
            tl_report_error(s->report, s->node, "add field: temperature, velocity, pressure, ...",
                            "measure \"%.60s\" has no field, which points and lines need", m->name);
        return;
    }
    for (; tl_measure_fields[count]; count++)
        if (strcmp(tl_measure_fields[count], m->field) == 0)
            return;
    tl_text hint = {0};
    const char *nearest = tl_nearest_word(m->field, tl_measure_fields, count);
    if (nearest)
        tl_text_print(&hint, "did you mean %s? ", nearest);
    tl_text_print(&hint, "there are");
    for (size_t i = 0; i < count; i++)
        tl_text_print(&hint, "%s %s", i ? "," : "", tl_measure_fields[i]);
    tl_report_error(s->report, tl_yaml_place(s->node, "field"), hint.bytes,
                    "there is no field called \"%.60s\"", m->field);
    free(hint.bytes);
}

/* Names become those of columns of a table with commas and brackets. */
static void check_name(const site *s, const tl_measure_def *m) {
    if (strlen(m->name) > 48 || strpbrk(m->name, ",[]\"\n/") || strstr(m->name, "  "))
        tl_report_error(s->report, tl_yaml_place(s->node, "name"),
                        "use at most 48 letters, digits, dashes and points",
                        "\"%.60s\" cannot be the name of columns", m->name);
}

static void check_place(const site *s, tl_measure_def *m) {
    const tl_scene *scene = s->scene;
    switch ((tl_measure_kind)m->kind) {
    case TL_MEASURE_PLANE:
        if (!(tl_vec3_length(tl_vec3_of(m->plane.normal)) > 0))
            tl_report_error(s->report, tl_yaml_place(s->node, "plane.normal"),
                            "write normal: [0, 0, 1]", "the normal of measure \"%.60s\" is zero",
                            m->name);
        break;
    case TL_MEASURE_BODY:
        find_named(s, "body", m->body, &scene->bodies, sizeof(tl_body_def), &m->index);
        break;
    case TL_MEASURE_MATERIAL:
        find_named(s, "material", m->material, &scene->materials, sizeof(tl_material), &m->index);
        break;
    case TL_MEASURE_WALL:
        find_named(s, "wall", m->wall, &scene->walls, sizeof(tl_wall_def), &m->index);
        break;
    case TL_MEASURE_BOX:
        for (int k = 0; k < 3; k++)
            if (!(m->box.from[k] < m->box.to[k])) {
                tl_report_error(
                    s->report, tl_yaml_place(s->node, "box.to"), "from is the lowest corner",
                    "the box of measure \"%.60s\" has no extent along %c", m->name, "xyz"[k]);
                break;
            }
        break;
    default: break;
    }
}

void tl_scene_check_measures(tl_scene *scene, const tl_yaml_node *root, tl_report *report) {
    tl_measure_def *measures = scene->measures.items;
    size_t gates = 0;
    for (size_t i = 0; i < scene->measures.count; i++) {
        tl_measure_def *m = &measures[i];
        const site s = {scene, report, tl_yaml_place(root, "measures.%zu", i)};
        int places;
        m->kind = kind_of(m, &places);
        if (places > 1)
            tl_report_error(report, s.node,
                            "give one of point, line, plane, body, material, wall, box and sphere",
                            "measure \"%.60s\" is at more than one place", m->name);
        check_name(&s, m);
        check_field(&s, m);
        check_place(&s, m);
        if (m->kind == TL_MEASURE_PLANE)
            m->index = gates++;
        if (m->kind == TL_MEASURE_PLANE && gates == TL_MOST_GATES + 1)
            tl_report_error(report, s.node, "leave some of them out",
                            "a scene has at most %d planes that matter is counted at",
                            TL_MOST_GATES);
    }
}
