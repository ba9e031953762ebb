/* Smooths the nearness of the skin, first along rows, then along columns, and that twice. A pixel
 * takes the mean of pairs of pixels at equal distances on both sides, so that slopes are kept: only
 * curvature is smoothed away. A pair that has one end on another sheet, or none, says nothing; nor
 * does one whose mean lies farther off than particles may: edges stay edges, and no dent or lip
 * forms beside them. How far it reaches follows the depth, as long as the particles do. */
#include "render/skin.h"

#include "base/simd.h"

#include <string.h>

enum { TAPS = 14 }; /* at most, on each side */

/* In spacings: how far it reaches, and how far off the mean of a pair may lie. */
#define REACH 1.6f
#define RANGE 0.8f

typedef struct soften_job {
    const tl_view *view;
    const float *from;
    float *to;
    size_t stride; /* of rows, with room on both sides */
    int room, step;
    float reach; /* pixels at nearness 1 */
    float range; /* nearness at nearness 1 */
} soften_job;

/* Adds what a pair says to the sums. Nearness 0 is nothing. */
static inline void add_pair(tl_wide here, tl_wide a, tl_wide b, float distance,
                            tl_wide inverse_reach, tl_wide inverse_range, tl_wide *sum,
                            tl_wide *weights) {
    const tl_wide mean = 0.5f * (a + b), off = (mean - here) * inverse_range;
    const tl_wide q = distance * inverse_reach;
    const tl_wide space = tl_positive(1 - q * q), range = tl_positive(1 - off * off);
    const tl_wide agreed = space * space * range * range, none = tl_splat(0);
    const tl_wide weight = tl_select_less(none, tl_min(a, b), agreed, none);
    *sum += weight * mean;
    *weights += weight;
}

static tl_wide soften_at(const soften_job *job, const float *at, ptrdiff_t along, int before,
                         int after) {
    const tl_wide here = tl_load(at), tiny = tl_splat(1e-30f), one = tl_splat(1);
    const tl_wide inverse_reach = one / tl_max(job->reach * here, one);
    const tl_wide inverse_range = one / tl_max(job->range * here * here, tiny);
    tl_wide weights = tl_splat(0.5f), sum = weights * here;
    for (int k = job->step; k <= TAPS * job->step && k <= before && k <= after; k += job->step)
        add_pair(here, tl_load(at - k * along), tl_load(at + k * along), (float)k, inverse_reach,
                 inverse_range, &sum, &weights);
    return tl_select_less(tl_splat(0), here, sum / weights, tl_splat(0));
}

static bool any(const float *p) {
    float most = 0;
    for (int l = 0; l < TL_LANES; l++)
        most = p[l] > most ? p[l] : most;
    return most > 0;
}

static void soften_rows(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const soften_job *job = context;
    for (size_t y = begin; y < end; y++)
        for (int x = 0; x < job->view->width; x += TL_LANES) {
            const size_t at = y * job->stride + (size_t)(job->room + x);
            tl_store(job->to + at, any(job->from + at)
                                       ? soften_at(job, job->from + at, 1, job->room, job->room)
                                       : tl_splat(0));
        }
}

static void soften_columns(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const soften_job *job = context;
    for (size_t y = begin; y < end; y++)
        for (int x = 0; x < job->view->width; x += TL_LANES) {
            const size_t at = y * job->stride + (size_t)(job->room + x);
            tl_store(job->to + at, any(job->from + at)
                                       ? soften_at(job, job->from + at, (ptrdiff_t)job->stride,
                                                   (int)y, job->view->height - 1 - (int)y)
                                       : tl_splat(0));
        }
}

static float nearest(const tl_view *view) {
    const size_t pixels = (size_t)view->width * (size_t)view->height;
    float most = 0;
    for (size_t p = 0; p < pixels; p++)
        most = view->skin->near[p] > most ? view->skin->near[p] : most;
    return most;
}

tl_status tl_skin_soften(const tl_parallel *parallel, tl_arena *arena, const tl_view *view,
                         tl_error *error) {
    const tl_skin *skin = view->skin;
    const size_t width = (size_t)view->width, height = (size_t)view->height;
    soften_job job = {
        .view = view, .reach = REACH * skin->spacing / view->pixel, .range = RANGE * skin->spacing};
    /* Every pixel where the reach is small; fewer where it is large, and nothing changes from one
     * pixel to the next. */
    const float most = job.reach * nearest(view);
    job.step = most > TAPS ? (int)ceilf(fminf(most, 1000) / TAPS) : 1;
    job.room = (int)tl_pad_lanes((size_t)TAPS * (size_t)job.step);
    job.stride = tl_pad_lanes(width) + 2 * (size_t)job.room;
    float *buffers[2];
    for (int k = 0; k < 2; k++) {
        buffers[k] = tl_arena_allocate(arena, height * job.stride, sizeof(float));
        if (!buffers[k])
            return tl_fail_memory(error, height * job.stride, sizeof(float));
    }
    for (size_t y = 0; y < height; y++)
        memcpy(buffers[0] + y * job.stride + job.room, skin->near + y * width,
               width * sizeof(float));
    const float reach = job.reach;
    const int step = job.step;
    for (int pass = 0; pass < 4; pass++) {
        /* The second time without gaps. */
        job.step = pass < 2 ? step : 1;
        job.reach = pass < 2 ? reach : reach / (float)step;
        job.from = buffers[pass & 1], job.to = buffers[~pass & 1];
        tl_parallel_for(parallel, height, 8, pass & 1 ? soften_columns : soften_rows, &job);
    }
    for (size_t y = 0; y < height; y++)
        memcpy(skin->near + y * width, buffers[0] + y * job.stride + job.room,
               width * sizeof(float));
    return TL_OK;
}
