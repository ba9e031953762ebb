/* See gable.h. */
#include "scene/gable.h"

#include <math.h>

/* Height of a row over the next, and of a layer, in distances of neighbours. */
static double row_step(double d) { return d * sqrt(0.75); }
static double layer_step(double d) { return d * sqrt(2.0 / 3); }

/* A lowered layer has one row less, or its feet would hang below the others'. */
static int64_t rows_of(const tl_gable_def *g, int64_t layer) {
    return layer % 2 && g->rows > 1 ? g->rows - 1 : g->rows;
}

static bool is_kept(const tl_gable_def *g, int64_t row, int64_t i) {
    return i < g->width || row - i < g->width;
}

size_t tl_gable_count(const tl_gable_def *g) {
    size_t count = 0;
    for (int64_t layer = 0; layer < g->layers; layer++)
        for (int64_t row = 0; row < rows_of(g, layer); row++) {
            const int64_t both = 2 * g->width;
            count += (size_t)(row + 1 < both ? row + 1 : both);
        }
    return count;
}

void tl_gable_fill(const tl_gable_def *g, double spacing, tl_seed *seeds) {
    const double d = spacing * pow(2, 1.0 / 6), height = row_step(d);
    const double top = g->foot[2] + 0.5 * d + (double)(g->rows - 1) * height;
    size_t made = 0;
    for (int64_t layer = 0; layer < g->layers; layer++)
        for (int64_t row = 0; row < rows_of(g, layer); row++)
            for (int64_t i = 0; i <= row; i++) {
                if (!is_kept(g, row, i))
                    continue;
                double *x = seeds[made++].position;
                x[0] = g->foot[0] + ((double)i - 0.5 * (double)row) * d;
                x[1] = g->foot[1] + ((double)layer - 0.5 * (double)(g->layers - 1)) * layer_step(d);
                x[2] = top - ((double)row + (layer % 2 ? 2.0 / 3 : 0)) * height;
            }
}

tl_box_def tl_gable_bounds(const tl_gable_def *g) {
    const double d = g->distance, half = 0.5 * (double)g->rows * d;
    const double back = 0.5 * ((double)(g->layers - 1) * layer_step(d) + d);
    const double height = (double)(g->rows - 1) * row_step(d) + d;
    return (tl_box_def){{g->foot[0] - half, g->foot[1] - back, g->foot[2]},
                        {g->foot[0] + half, g->foot[1] + back, g->foot[2] + height}};
}

double tl_gable_depth(const tl_gable_def *g, const double x[3]) {
    const tl_box_def bounds = tl_gable_bounds(g);
    const double d = g->distance;
    double depth = HUGE_VAL;
    for (int k = 1; k < 3; k++)
        depth = fmin(depth, fmin(x[k] - bounds.from[k], bounds.to[k] - x[k]));
    /* The edges of the legs at this height. */
    const double row = (bounds.to[2] - 0.5 * d - x[2]) / row_step(d),
                 side = fabs(x[0] - g->foot[0]);
    const double outer = 0.5 * (row + 1) * d, inner = outer - (double)g->width * d;
    return fmin(depth, fmin(outer - side, inner > 0 ? side - inner : HUGE_VAL));
}
