/* See neighbors.h. */
#include "neighbors/neighbors.h"

const char *const tl_search_method_names[] = {"grid", "octree", "kdtree", "brute", NULL};
