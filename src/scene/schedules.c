/* Binding and writing schedules: a number, or a table of times and values. See binder.h. */
#include "scene/binder.h"

#include "scene/units.h"

static void bind_moment(tl_binder *b, const tl_param *p, const tl_yaml_node *node, double out[2]) {
    static const tl_param time = {.name = "time", .unit = TL_UNIT_TIME, .min = -1e12, .max = 1e12};
    if (node->kind != TL_YAML_SEQUENCE || node->count != 2) {
        tl_report_error(b->report, node, "write [60 s, 90]: the value at 60 s is 90",
                        "%s wants a time and a value; got %s", p->name,
                        node->kind == TL_YAML_SEQUENCE ? "a list of another length"
                                                       : tl_bind_kind_name(node));
        return;
    }
    tl_bind_number(b, &time, node->entries[0].value, &out[0]);
    tl_bind_number(b, p, node->entries[1].value, &out[1]);
}

void tl_bind_schedule(tl_binder *b, const tl_param *p, const tl_yaml_node *node, tl_schedule *out) {
    *out = (tl_schedule){0};
    if (node->kind != TL_YAML_SEQUENCE) {
        tl_bind_number(b, p, node, &out->value);
        return;
    }
    if (node->count < 1 || node->count > TL_SCHEMA_MAX_LIST) {
        tl_report_error(b->report, node, "write [[0 s, 20], [60 s, 90]]",
                        "%s wants a number or a list of one to %d points", p->name,
                        TL_SCHEMA_MAX_LIST);
        return;
    }
    double(*points)[2] = tl_arena_allocate(b->arena, node->count, sizeof *points);
    if (!points) {
        b->out_of_memory = true;
        return;
    }
    for (size_t i = 0; i < node->count; i++) {
        bind_moment(b, p, node->entries[i].value, points[i]);
        if (i > 0 && !(points[i - 1][0] < points[i][0])) {
            tl_report_error(b->report, node->entries[i].value, "write the earlier point first",
                            "the points of %s must rise in time: %g s after %g s", p->name,
                            points[i][0], points[i - 1][0]);
            return;
        }
    }
    out->value = points[0][1];
    out->points = (tl_param_list){points, node->count};
}

void tl_write_schedule(tl_text *out, const tl_param *p, const tl_schedule *schedule) {
    const double(*points)[2] = schedule->points.items;
    if (schedule->points.count == 0) {
        tl_unit_print(out, schedule->value, p->unit);
        return;
    }
    for (size_t i = 0; i < schedule->points.count; i++) {
        tl_text_print(out, i ? ", [" : "[[");
        tl_unit_print(out, points[i][0], TL_UNIT_NONE);
        tl_text_add(out, ", ", 2);
        tl_unit_print(out, points[i][1], TL_UNIT_NONE);
        tl_text_add(out, "]", 1);
    }
    const char *unit = tl_unit_symbol(p->unit);
    tl_text_print(out, "] # s%s%s", *unit ? ", " : "", unit);
}
