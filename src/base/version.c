/* The version, as the build has it. */
#include "tallow/tallow.h"

const char *tl_version(void) { return TL_VERSION; }
