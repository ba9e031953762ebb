/* See kernels.h. */
#include "math/kernels.h"

const char *const tl_kernel_names[] = {"wendland", "quintic", "quartic",   "cubic",
                                       "poly6",    "spiky",   "viscosity", NULL};
