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

/* Between two points; the ends outside. */
TL_INLINE tl_wide tl_between_wide_(const double a[2], const double b[2], tl_wide T,
                                   int interpolation) {
    const float low = (float)a[0], high = (float)b[0];
    const float scale = high > low ? 1 / (high - low) : 0;
    T = tl_min(tl_max(T, tl_splat(low)), tl_splat(high));
    const tl_wide part_a = (high - T) * scale, part_b = (T - low) * scale;
    if (interpolation == TL_INTERPOLATION_LOGARITHMIC) {
        const tl_wide ln_a = tl_log(tl_splat((float)a[1])), ln_b = tl_log(tl_splat((float)b[1]));
        return tl_exp(part_a * ln_a + part_b * ln_b);
    }
    return part_a * (float)a[1] + part_b * (float)b[1];
}

TL_INLINE tl_wide tl_law_wide(const tl_law *law, tl_wide T) {
    switch ((tl_law_kind)law->kind) {
    case TL_LAW_CONSTANT: return tl_splat((float)law->value);
    case TL_LAW_LINEAR: return tl_between_wide_(law->from, law->to, T, TL_INTERPOLATION_LINEAR);
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
    case TL_LAW_TABLE: {
        const double(*points)[2] = law->points.items;
        tl_wide value = tl_between_wide_(points[0], points[1], T, law->interpolation);
        for (size_t i = 1; i + 1 < law->points.count; i++)
            value =
                tl_select_less(T, tl_splat((float)points[i][0]), value,
                               tl_between_wide_(points[i], points[i + 1], T, law->interpolation));
        return value;
    }
    }
    return tl_splat(0.0f);
}

#endif
