/* Particles of different sizes: what a world knows of them, beside the field that holds them. */
#include "world/state.h"

#include <math.h>

void tl_world_measure_sizes(tl_world *w) {
    const float *own = tl_size_of(w);
    if (!own)
        return;
    w->sizes = w->fields.count > 0
                   ? tl_sizes_own(w->def.spacing, w->sizes.support, own, w->fields.count)
                   : w->sizes;
    w->skin = w->def.flow.skin * tl_least_support(&w->sizes);
}

double tl_world_sample_spacing(const tl_world *w) {
    return w->def.most_size > 0 ? fmin(w->def.least_size, w->def.spacing) : w->def.spacing;
}
