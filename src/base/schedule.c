/* See schedule.h. */
#include "base/schedule.h"

#include "base/hash.h"

double tl_schedule_at(const tl_schedule *schedule, double time) {
    const double(*points)[2] = schedule->points.items;
    const size_t count = schedule->points.count;
    if (count == 0)
        return schedule->value;
    if (!(time > points[0][0]))
        return points[0][1];
    size_t i = 1;
    while (i < count && time >= points[i][0])
        i++;
    if (i == count)
        return points[count - 1][1];
    const double t = (time - points[i - 1][0]) / (points[i][0] - points[i - 1][0]);
    return (1 - t) * points[i - 1][1] + t * points[i][1];
}

double tl_schedule_integral(const tl_schedule *schedule, double from, double to) {
    const double(*points)[2] = schedule->points.items;
    double sum = 0, at = from;
    for (size_t i = 0; i < schedule->points.count && points[i][0] < to; i++)
        if (points[i][0] > at) {
            sum += 0.5 * (points[i][0] - at) * (tl_schedule_at(schedule, at) + points[i][1]);
            at = points[i][0];
        }
    return sum + 0.5 * (to - at) * (tl_schedule_at(schedule, at) + tl_schedule_at(schedule, to));
}

double tl_schedule_peak(const tl_schedule *schedule) {
    const double(*points)[2] = schedule->points.items;
    double peak = schedule->value;
    for (size_t i = 0; i < schedule->points.count; i++)
        peak = points[i][1] > peak ? points[i][1] : peak;
    return peak;
}

uint64_t tl_schedule_hash(uint64_t hash, const tl_schedule *schedule) {
    hash = tl_hash(hash, &schedule->value, sizeof schedule->value);
    return tl_hash(hash, schedule->points.items, schedule->points.count * 2 * sizeof(double));
}
