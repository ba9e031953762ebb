/* Schedules: a number that may change with time. In files a number, or a table of times and values
 * that are joined by lines: [[0 s, 20], [60 s, 90]]. */
#ifndef TL_BASE_SCHEDULE_H
#define TL_BASE_SCHEDULE_H

#include "base/param.h"

#include <stdint.h>

/* One that is all zeros but for `value` is the constant `value`. */
typedef struct tl_schedule {
    double value;
    tl_param_list points; /* double[2]: s, value; by rising time; empty: constant */
} tl_schedule;

/* The value at a time (s); before the first and after the last point it stays what it is there. */
double tl_schedule_at(const tl_schedule *schedule, double time);

/* The integral of the value from one time to a later one, exact. */
double tl_schedule_integral(const tl_schedule *schedule, double from, double to);

/* The largest value at any time. */
double tl_schedule_peak(const tl_schedule *schedule);

/* Continues a hash over all that the value depends on. */
uint64_t tl_schedule_hash(uint64_t hash, const tl_schedule *schedule);

#endif
