/* See params.h. */
#include "resample/params.h"

#define AT(member) offsetof(tl_resample_params, member)

static const char *const splits[] = {"none", "strain", "chao", "void", NULL};
static const char *const merges[] = {"none", "close", NULL};

static const tl_param params[] = {
    {.name = "split",
     .type = TL_PARAM_CHOICE,
     .offset = AT(split),
     .default_value = "strain",
     .choices = splits,
     .doc = "Which particles are halved: none; with strain those that matter drawn out has left "
            "apart along it; with chao those on which gravity is stronger than what acts against "
            "it [Chao12 3.4], half of a pool at rest among them"},
    {.name = "merge",
     .type = TL_PARAM_CHOICE,
     .offset = AT(merge),
     .default_value = "close",
     .choices = merges,
     .doc = "Which parts become one again: none, or those that have come close"},
    {.name = "smallest",
     .type = TL_PARAM_NUMBER,
     .offset = AT(smallest),
     .default_value = "0.125",
     .min = 0.01,
     .max = 0.5,
     .doc = "Mass of the lightest part, relative to that of a particle of the scene's spacing"},
};

const tl_param_table tl_resample_table =
    TL_PARAM_TABLE(tl_resample_params, "resample", "When particles split and merge", params);
