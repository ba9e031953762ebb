/* An axis: its range, ticks at 1, 2 or 5 times a power of ten, their labels, and the unit with the
 * prefix that makes the labels short. */
#ifndef TL_PLOT_AXIS_H
#define TL_PLOT_AXIS_H

#include "tallow/tallow.h"

enum { TL_AXIS_TICKS = 24, TL_AXIS_LABEL = 32, TL_AXIS_UNIT = 64 };

typedef struct tl_tick {
    double value;
    char label[TL_AXIS_LABEL]; /* UTF-8 */
} tl_tick;

typedef struct tl_axis {
    double low, high; /* low < high; both positive when logarithmic */
    bool is_log;
    tl_tick tick[TL_AXIS_TICKS];
    size_t tick_count;
    char unit[TL_AXIS_UNIT]; /* what labels are in: "mJ", "10⁻³", "" */
} tl_axis;

/* An axis for values from `low` to `high`, with at most about `wanted` ticks. One that `fits` ends
 * where the values end, others at ticks. Equal ends, as of a constant, are moved apart; so are ends
 * that differ by rounding alone. A logarithmic axis must have 0 < low. */
void tl_axis_choose(double low, double high, const char *unit, bool is_log, bool fits, int wanted,
                    tl_axis *out);

/* Where a value is between the ends: 0 at low, 1 at high. */
double tl_axis_at(const tl_axis *axis, double value);

#endif
