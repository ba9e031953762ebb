/* See predicates.h. The filter is that of Shewchuk (Adaptive precision floating-point arithmetic,
 * 1997): a determinant beyond its bound of rounding has the right sign. Else it is found from exact
 * differences in sums of two doubles (Dekker 1971), whose rounding is 2⁻¹⁰⁰ of the terms; what is
 * smaller still counts as zero. Compiled without contraction. */
#include "mesh/predicates.h"

/* A number as an unevaluated sum of two doubles. */
typedef struct pair {
    double high, low;
} pair;

static pair sum_of(double a, double b) {
    const double s = a + b, part = s - a;
    return (pair){s, (a - (s - part)) + (b - part)};
}

static pair add(pair a, pair b) {
    const pair s = sum_of(a.high, b.high);
    return sum_of(s.high, s.low + (a.low + b.low));
}

static pair multiply(pair a, pair b) {
    const double p = a.high * b.high, rest = fma(a.high, b.high, -p);
    return sum_of(p, rest + (a.high * b.low + a.low * b.high));
}

static pair negative(pair a) { return (pair){-a.high, -a.low}; }

static double size_of(pair a) { return fabs(a.high); }

/* a b - c d, and the size of its terms. */
static pair minor(pair a, pair b, pair c, pair d, double *size) {
    const pair first = multiply(a, b), second = multiply(c, d);
    *size = size_of(first) + size_of(second);
    return add(first, negative(second));
}

static void difference(tl_vec3 a, tl_vec3 b, pair out[3]) {
    out[0] = sum_of(a.x, -b.x), out[1] = sum_of(a.y, -b.y), out[2] = sum_of(a.z, -b.z);
}

static const double long_rounding = 0x1p-98; /* of the sums below, relative to their terms */

static int orientation_in_pairs(tl_vec3 a, tl_vec3 b, tl_vec3 c, tl_vec3 d) {
    pair u[3], v[3], w[3], sum = {0};
    double size = 0;
    difference(a, d, u);
    difference(b, d, v);
    difference(c, d, w);
    for (int k = 0; k < 3; k++) {
        const int l = (k + 1) % 3, m = (k + 2) % 3;
        double terms;
        const pair cross = minor(v[l], w[m], v[m], w[l], &terms);
        sum = add(sum, multiply(u[k], cross));
        size += size_of(u[k]) * terms;
    }
    return sum.high > long_rounding * size ? 1 : sum.high < -long_rounding * size ? -1 : 0;
}

int tl_orientation(tl_vec3 a, tl_vec3 b, tl_vec3 c, tl_vec3 d) {
    const tl_vec3 u = tl_vec3_sub(a, d), v = tl_vec3_sub(b, d), w = tl_vec3_sub(c, d);
    const double yz = v.y * w.z, zy = v.z * w.y, zx = v.z * w.x, xz = v.x * w.z, xy = v.x * w.y,
                 yx = v.y * w.x;
    const double sum = u.x * (yz - zy) + u.y * (zx - xz) + u.z * (xy - yx);
    const double size = fabs(u.x) * (fabs(yz) + fabs(zy)) + fabs(u.y) * (fabs(zx) + fabs(xz)) +
                        fabs(u.z) * (fabs(xy) + fabs(yx));
    const double bound = 8e-16 * size;
    if (sum > bound || sum < -bound)
        return sum > 0 ? 1 : -1;
    return orientation_in_pairs(a, b, c, d);
}

tl_vec3 tl_area_vector(tl_vec3 a, tl_vec3 b, tl_vec3 c) {
    pair v[3], w[3];
    double area[3];
    difference(b, a, v);
    difference(c, a, w);
    for (int k = 0; k < 3; k++) {
        const int l = (k + 1) % 3, m = (k + 2) % 3;
        double terms;
        const pair cross = minor(v[l], w[m], v[m], w[l], &terms);
        area[k] = size_of(cross) > long_rounding * terms ? cross.high : 0;
    }
    return tl_vec3_of(area);
}

static bool is_flat(tl_vec3 a, tl_vec3 b, tl_vec3 c) {
    const tl_vec3 area = tl_area_vector(a, b, c);
    return area.x == 0 && area.y == 0 && area.z == 0;
}

/* No two of the signs are opposite. */
static bool agree(int a, int b, int c) {
    return (a >= 0 && b >= 0 && c >= 0) || (a <= 0 && b <= 0 && c <= 0);
}

/* In the plane that holds both and misses the apex: segments p q and a b have a common point. */
static bool meet_in_plane(tl_vec3 p, tl_vec3 q, tl_vec3 a, tl_vec3 b, tl_vec3 apex) {
    const int sa = tl_orientation(p, q, apex, a), sb = tl_orientation(p, q, apex, b);
    const int sp = tl_orientation(a, b, apex, p), sq = tl_orientation(a, b, apex, q);
    if (sa == 0 && sb == 0 && sp == 0 && sq == 0) { /* on one line */
        const tl_vec3 ab = tl_vec3_sub(b, a);
        const double end = tl_vec3_dot(ab, ab), along_p = tl_vec3_dot(tl_vec3_sub(p, a), ab),
                     along_q = tl_vec3_dot(tl_vec3_sub(q, a), ab);
        return fmax(along_p, along_q) >= 0 && fmin(along_p, along_q) <= end;
    }
    return sa * sb <= 0 && sp * sq <= 0;
}

static bool meets_in_plane(tl_vec3 p, tl_vec3 q, tl_vec3 a, tl_vec3 b, tl_vec3 c) {
    const tl_vec3 apex =
        tl_vec3_add(a, tl_vec3_cross(tl_vec3_unit(tl_vec3_sub(b, a)), tl_vec3_sub(c, a)));
    return agree(tl_orientation(a, b, apex, p), tl_orientation(b, c, apex, p),
                 tl_orientation(c, a, apex, p)) ||
           meet_in_plane(p, q, a, b, apex) || meet_in_plane(p, q, b, c, apex) ||
           meet_in_plane(p, q, c, a, apex);
}

bool tl_segment_meets(tl_vec3 p, tl_vec3 q, tl_vec3 a, tl_vec3 b, tl_vec3 c) {
    const int sp = tl_orientation(a, b, c, p), sq = tl_orientation(a, b, c, q);
    if (sp * sq > 0 || is_flat(a, b, c))
        return false;
    if (sp == 0 && sq == 0)
        return meets_in_plane(p, q, a, b, c);
    return agree(tl_orientation(p, q, a, b), tl_orientation(p, q, b, c),
                 tl_orientation(p, q, c, a));
}
