/* What the scenes show whose bodies are meshes (docs/gallery.md). */
#include "stage.h"

#include <criterion/criterion.h>
#include <criterion/logging.h>
#include <math.h>
#include <stdlib.h>

#define SET(...) ((const char *const[]){__VA_ARGS__, NULL})

/* Particles by id: those of a layer of the body at the start. */
typedef struct crowd {
    bool *in;
    size_t size;
} crowd;

static crowd choose(stage *s, int axis, double from, double to) {
    crowd c = {.in = calloc(s->count, sizeof *c.in)};
    for (size_t i = 0; i < s->count; i++) {
        const double x = stage_positions(s)[3 * i + (size_t)axis];
        c.in[stage_ids(s)[i]] = x >= from && x < to;
        c.size += x >= from && x < to;
    }
    cr_assert_gt(c.size, 20);
    return c;
}

static double mean_height(stage *s, const crowd *c) {
    double sum = 0;
    for (size_t i = 0; i < s->count; i++)
        if (c->in[stage_ids(s)[i]])
            sum += stage_positions(s)[3 * i + 2];
    return sum / (double)c->size;
}

static double mean_temperature(stage *s, const crowd *c) {
    double sum = 0;
    for (size_t i = 0; i < s->count; i++)
        if (c->in[stage_ids(s)[i]])
            sum += (double)stage_temperatures(s)[i];
    return sum / (double)c->size;
}

static double lowest(stage *s) {
    double low = HUGE_VAL;
    for (size_t i = 0; i < s->count; i++)
        low = fmin(low, stage_positions(s)[3 * i + 2]);
    return low;
}

Test(bunny, melts_from_its_ears_down) {
    stage s = stage_open("bunny", SET("spacing=9mm"));
    cr_log_info("%zu particles, lowest at %.2f mm", s.count, 1e3 * lowest(&s));
    /* 1.64 litres; the outermost layer is half a spacing above the floor, but for toes that are
     * thinner than a spacing. */
    cr_expect_float_eq((double)s.count * 0.009 * 0.009 * 0.009, 1.643e-3, 2e-5);
    cr_expect_float_eq(lowest(&s), 0.0036, 0.0009);
    crowd ears = choose(&s, 2, 0.155, 1), head = choose(&s, 2, 0.12, 0.155),
          feet = choose(&s, 2, 0, 0.04);
    cr_expect_gt(mean_temperature(&s, &ears), mean_temperature(&s, &head));
    const double before[3] = {mean_height(&s, &ears), mean_height(&s, &head),
                              mean_height(&s, &feet)};
    stage_run(&s, 2);
    const double ear = mean_height(&s, &ears) / before[0], top = mean_height(&s, &head) / before[1],
                 foot = mean_height(&s, &feet) / before[2];
    cr_log_info("heights after 2 s: ears %.3f, head %.3f, feet %.3f of the first", ear, top, foot);
    cr_expect_lt(ear, 0.9);
    cr_expect_lt(ear, top - 0.02);
    cr_expect_lt(top, foot);
    cr_expect_gt(foot, 0.95);
    free(ears.in), free(head.in), free(feet.in);
    stage_close(&s);
}

Test(logo, the_first_letter_sinks_and_the_last_one_stands) {
    stage s = stage_open("logo", SET("spacing=5mm"));
    crowd first = choose(&s, 0, -1, -0.14), last = choose(&s, 0, 0.1, 1);
    const double before[2] = {mean_height(&s, &first), mean_height(&s, &last)};
    stage_run(&s, 2);
    const double molten = mean_height(&s, &first) / before[0],
                 cold = mean_height(&s, &last) / before[1];
    cr_log_info("heights after 2 s: first %.3f, last %.3f", molten, cold);
    cr_expect_lt(molten, 0.6);
    cr_expect_gt(cold, 0.95);
    free(first.in), free(last.in);
    stage_close(&s);
}
