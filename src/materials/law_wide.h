/* Temperature laws on the wide type. See law.h for the formulas. Sums of positive terms only, so
 * that a value which falls by many decades keeps its digits. */
#ifndef TL_MATERIALS_LAW_WIDE_H
#define TL_MATERIALS_LAW_WIDE_H

#include "materials/law.h"
#include "math/elementary.h"

TL_INLINE tl_wide tl_held_wide_(const tl_law *law, tl_wide x) {
    if (law->min == 0 && law->max == 0)
        return x;
    return tl_min(tl_max(x, tl_splat((float)law->min)), tl_splat((float)law->max));
}

/* Between two points (t, y); the ends outside. Points that are one in float32 give the first. */
TL_INLINE tl_wide tl_between_wide_(tl_wide t0, tl_wide y0, tl_wide t1, tl_wide y1, tl_wide T,
                                   int interpolation) {
    const tl_wide t = tl_min(tl_max(T, t0), t1);
    const tl_wide scale = 1.0f / tl_max(t1 - t0, tl_splat(1e-30f));
    const tl_wide part_0 = tl_select_less(t0, t1, (t1 - t) * scale, tl_splat(1.0f));
    const tl_wide part_1 = (t - t0) * scale;
    if (interpolation == TL_INTERPOLATION_LOGARITHMIC)
        return tl_exp(part_0 * tl_log(y0) + part_1 * tl_log(y1));
    return part_0 * y0 + part_1 * y1;
}

/* Each lane chooses its segment before anything is interpolated: logarithms are dear. */
TL_INLINE tl_wide tl_table_wide_(const tl_law *law, tl_wide T) {
    const double(*points)[2] = law->points.items;
    tl_wide t0 = tl_splat((float)points[0][0]), y0 = tl_splat((float)points[0][1]);
    tl_wide t1 = tl_splat((float)points[1][0]), y1 = tl_splat((float)points[1][1]);
    for (size_t i = 1; i + 1 < law->points.count; i++) {
        const tl_wide begin = tl_splat((float)points[i][0]);
        t0 = tl_select_less(begin, T, begin, t0);
        y0 = tl_select_less(begin, T, tl_splat((float)points[i][1]), y0);
        t1 = tl_select_less(begin, T, tl_splat((float)points[i + 1][0]), t1);
        y1 = tl_select_less(begin, T, tl_splat((float)points[i + 1][1]), y1);
    }
    return tl_between_wide_(t0, y0, t1, y1, T, law->interpolation);
}

TL_INLINE tl_wide tl_law_wide(const tl_law *law, tl_wide T) {
    switch ((tl_law_kind)law->kind) {
    case TL_LAW_CONSTANT: return tl_splat((float)law->value);
    case TL_LAW_LINEAR:
        return tl_between_wide_(tl_splat((float)law->from[0]), tl_splat((float)law->from[1]),
                                tl_splat((float)law->to[0]), tl_splat((float)law->to[1]), T,
                                TL_INTERPOLATION_LINEAR);
    case TL_LAW_EXPONENTIAL: {
        const double ln_10 = 2.302585092994045684;
        return tl_held_wide_(
            law, tl_exp((float)(law->slope * ln_10) * T + (float)(law->offset * ln_10)));
    }
    case TL_LAW_ARRHENIUS: { /* 1/T - 1/at = (at - T) / (T at): a difference of °C is exact */
        const double at = law->at + TL_ICE_POINT;
        const float coldest = (float)(1 - TL_ICE_POINT);
        const float steepness = (float)(law->energy / (TL_GAS_CONSTANT * at));
        T = tl_max(T, tl_splat(coldest));
        const tl_wide cooler = ((float)law->at - T) / (T + (float)TL_ICE_POINT);
        return tl_held_wide_(law, (float)law->value * tl_exp(steepness * cooler));
    }
    case TL_LAW_TABLE: return tl_table_wide_(law, T);
    }
    return tl_splat(0.0f);
}

#endif
