/* Filled bodies and their surfaces, for tests/unit/silhouettes.c. */
#ifndef TL_TESTS_SILHOUETTES_H
#define TL_TESTS_SILHOUETTES_H

#include "render/preview.h"

typedef struct filled_body filled_body;

/* Fills a body, given as in a scene, and moves each particle by up to `shake` spacings along each
 * axis. */
filled_body *filled_body_make(const char *body, double spacing, double shake);

/* The skin of its particles, with their surface, and where they are; both live as long as it. */
tl_preview_skin filled_body_skin(const filled_body *body);
const double *filled_body_places(const filled_body *body);

void filled_body_free(filled_body *body);

#endif
