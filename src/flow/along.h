/* What a stress does along a pair. */
#ifndef TL_FLOW_ALONG_H
#define TL_FLOW_ALONG_H

#include "base/simd.h"

/* d·T d */
TL_INLINE tl_wide tl_along(const tl_wide d[3], const tl_wide T[6]) {
    return d[0] * (T[0] * d[0] + 2.0f * (T[3] * d[1] + T[4] * d[2])) +
           d[1] * (T[1] * d[1] + 2.0f * T[5] * d[2]) + T[2] * d[2] * d[2];
}

#endif
