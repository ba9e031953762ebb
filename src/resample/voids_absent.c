/* voids.h in a build without Qhull: it says so. */
#include "resample/voids.h"

static tl_status refuse(tl_error *error) {
    return tl_fail(error, TL_BAD_INPUT, "resample.split",
                   "install Qhull (libqhull-dev) and build again, or use split: strain",
                   "this build of tallow cannot find voids");
}

bool tl_voids_available(void) { return false; }

tl_status tl_voids_find(const double *places, size_t count, const double *limits, tl_void **out,
                        size_t *found, tl_error *error) {
    (void)places, (void)count, (void)limits, (void)out, (void)found;
    return refuse(error);
}

tl_status tl_hull_holds(const tl_vec3 *places, size_t count, tl_vec3 x, double inside, bool *holds,
                        tl_error *error) {
    (void)places, (void)count, (void)x, (void)inside, (void)holds;
    return refuse(error);
}
