/* See shares.h. λ is where log Σ w exp(λ·d) is least: its slope is the mean of d, its curvature the
 * covariance, so Newton's steps find it. */
#include "resample/shares.h"

#include "math/mat3.h"

#include <float.h>
#include <math.h>

/* Steps, halvings of one, and how near the mean is to be, in `scale`. */
enum { MOST_STEPS = 50, MOST_HALVINGS = 30 };
static const double exact = 1e-13, enough = 1e-9;

/* A step that is to lower the logarithm by less is so near that it is taken as it is: soon rounding
 * does not let it be seen. */
static const double near = 1e-8;

typedef struct problem {
    const tl_vec3 *d;
    const double *weights;
    size_t count;
    double scale;
    double *shares;
} problem;

/* Shares for λ, and the logarithm of their sum. */
static double weigh(const problem *p, tl_vec3 lambda) {
    double most = -HUGE_VAL, sum = 0;
    for (size_t i = 0; i < p->count; i++)
        most = fmax(most, tl_vec3_dot(lambda, p->d[i]) / p->scale);
    for (size_t i = 0; i < p->count; i++) {
        const double raised = tl_vec3_dot(lambda, p->d[i]) / p->scale - most;
        p->shares[i] = p->weights[i] * exp(raised);
        sum += p->shares[i];
    }
    for (size_t i = 0; i < p->count; i++)
        p->shares[i] /= sum;
    return log(fmax(sum, DBL_MIN)) + most;
}

/* The mean of d, and the covariance. */
static tl_vec3 spread(const problem *p, double C[3][3]) {
    tl_vec3 mean = {0, 0, 0};
    for (size_t i = 0; i < p->count; i++)
        mean = tl_vec3_mad(mean, p->shares[i] / p->scale, p->d[i]);
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            C[a][b] = 0;
    for (size_t i = 0; i < p->count; i++) {
        const tl_vec3 v = tl_vec3_sub(tl_vec3_scale(p->d[i], 1 / p->scale), mean);
        const double x[3] = {v.x, v.y, v.z};
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++)
                C[a][b] += p->shares[i] * x[a] * x[b];
    }
    return mean;
}

bool tl_shares_find(const tl_vec3 *d, const double *weights, size_t count, double scale,
                    double *shares) {
    const problem p = {d, weights, count, scale, shares};
    tl_vec3 lambda = {0, 0, 0}, mean = {0, 0, 0};
    double C[3][3], inverse[3][3], level = weigh(&p, lambda);
    for (int k = 0; k < MOST_STEPS; k++) {
        mean = spread(&p, C);
        if (tl_vec3_length(mean) < exact)
            return true;
        if (!tl_mat3_invert(C, inverse))
            return false;
        const tl_vec3 step = tl_mat3_times(inverse, mean);
        double part = 1, lower = weigh(&p, tl_vec3_mad(lambda, -1, step));
        for (int h = 0; h < MOST_HALVINGS && !(lower < level) && tl_vec3_dot(mean, step) > near;
             h++) {
            part *= 0.5;
            lower = weigh(&p, tl_vec3_mad(lambda, -part, step));
        }
        lambda = tl_vec3_mad(lambda, -part, step);
        level = lower;
    }
    weigh(&p, lambda);
    mean = spread(&p, C);
    return tl_vec3_length(mean) < enough;
}
