/* Binding temperature laws: a number, or a mapping with the kind of law. See binder.h. */
#include "scene/binder.h"

#include <assert.h>
#include <string.h>

void tl_law_table_make(const tl_param_table *kind, const tl_param *owner, tl_law_table *out) {
    enum { MOST = sizeof out->params / sizeof out->params[0] };
    assert(kind->count <= MOST);
    *out = (tl_law_table){.table = *kind};
    for (size_t i = 0; i < kind->count && i < MOST; i++) {
        tl_param *p = &out->params[i];
        *p = kind->params[i];
        if (!(p->flags & TL_PARAM_OF_LAW))
            continue;
        p->unit = owner->unit;
        p->min = owner->min;
        p->max = owner->max;
        p->flags |= owner->flags & TL_PARAM_MIN_EXCLUSIVE;
    }
    out->table.params = out->params;
}

void tl_bind_point(tl_binder *b, const tl_param *p, const tl_yaml_node *node, double out[2]) {
    static const tl_param temperature = {
        .name = "temperature", .unit = TL_UNIT_TEMPERATURE, .min = -273.15, .max = 1e5};
    if (node->kind != TL_YAML_SEQUENCE || node->count != 2) {
        tl_report_error(b->report, node, "write [40, 1500]: the value at 40 °C is 1500",
                        "%s wants a temperature and a value; got %s", p->name,
                        node->kind == TL_YAML_SEQUENCE ? "a list of another length"
                                                       : tl_bind_kind_name(node));
        return;
    }
    tl_bind_number(b, &temperature, node->entries[0].value, &out[0]);
    tl_bind_number(b, p, node->entries[1].value, &out[1]);
}

void tl_bind_points(tl_binder *b, const tl_param *p, const tl_yaml_node *node, tl_param_list *out) {
    if (node->kind != TL_YAML_SEQUENCE || node->count < 2 || node->count > TL_SCHEMA_MAX_LIST) {
        tl_report_error(b->report, node, "write [[20, 1e6], [60, 10]]",
                        "%s wants a list of two to %d points; got %s", p->name, TL_SCHEMA_MAX_LIST,
                        node->kind == TL_YAML_SEQUENCE ? "another count" : tl_bind_kind_name(node));
        return;
    }
    double(*points)[2] = tl_arena_allocate(b->arena, node->count, sizeof *points);
    if (!points) {
        b->out_of_memory = true;
        return;
    }
    for (size_t i = 0; i < node->count; i++)
        tl_bind_point(b, p, node->entries[i].value, points[i]);
    *out = (tl_param_list){points, node->count};
}

/* What holds between the values of a law. */
static void check_law(tl_binder *b, const tl_yaml_node *node, const tl_law *law) {
    static const char later[] = "write the colder point first";
    if (law->kind == TL_LAW_LINEAR && !(law->from[0] < law->to[0]))
        tl_report_error(b->report, tl_yaml_place(node, "to"), later,
                        "the law must rise in temperature: from %g °C to %g °C", law->from[0],
                        law->to[0]);
    if (law->kind != TL_LAW_TABLE)
        return;
    const double(*points)[2] = law->points.items;
    for (size_t i = 0; i < law->points.count; i++) {
        const tl_yaml_node *at = tl_yaml_place(node, "points.%zu", i);
        if (i > 0 && !(points[i - 1][0] < points[i][0])) {
            tl_report_error(b->report, at, later,
                            "the points must rise in temperature: %g °C after %g °C", points[i][0],
                            points[i - 1][0]);
            return;
        }
        if (law->interpolation == TL_INTERPOLATION_LOGARITHMIC && !(points[i][1] > 0)) {
            tl_report_error(b->report, at, "give a value above zero, or leave out interpolation",
                            "%g has no logarithm", points[i][1]);
            return;
        }
    }
}

void tl_bind_law(tl_binder *b, const tl_param *p, const tl_yaml_node *node, tl_law *out) {
    *out = (tl_law){.min = p->min, .max = p->max};
    if (node->kind != TL_YAML_MAPPING) {
        tl_bind_number(b, p, node, &out->value);
        return;
    }
    const tl_param_table *kind = tl_bind_variant(b, p->name, &tl_law_variants, node);
    if (!kind)
        return;
    const size_t errors = b->report->list ? b->report->list->error_count : 0;
    tl_law_table own;
    tl_law_table_make(kind, p, &own);
    tl_bind_table(b, &own.table, node, node, out);
    if (b->report->list && b->report->list->error_count == errors)
        check_law(b, node, out);
}
