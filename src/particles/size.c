/* See size.h. */
#include "particles/size.h"

double tl_spacing_of(const tl_sizes *s, size_t i) {
    return s->own ? (double)s->own[i] : s->spacing;
}

double tl_support_of(const tl_sizes *s, size_t i) {
    return s->own ? tl_support_of_spacing(s, (double)s->own[i]) : s->support;
}

double tl_volume_of(const tl_sizes *s, size_t i) {
    return s->own ? tl_volume_of_spacing((double)s->own[i]) : s->volume;
}
