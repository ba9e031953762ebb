/* The scenes that can be started from the page: those that are found by name, and no others. */
#ifndef LIVE_GALLERY_H
#define LIVE_GALLERY_H

#include "base/text.h"

/* Their names and titles, as JSON. */
void live_write_gallery(tl_text *out);

/* Whether there is one of this name. */
bool live_gallery_has(const char *name);

#endif
