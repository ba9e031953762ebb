/* When particles split and merge: the parameters of the scene's section `resample`. */
#ifndef TL_RESAMPLE_PARAMS_H
#define TL_RESAMPLE_PARAMS_H

#include "base/param.h"

typedef enum tl_split_rule {
    TL_SPLIT_NONE,
    TL_SPLIT_STRAIN,
    TL_SPLIT_CHAO,
    TL_SPLIT_VOID
} tl_split_rule;
typedef enum tl_merge_rule { TL_MERGE_NONE, TL_MERGE_CLOSE } tl_merge_rule;

typedef struct tl_resample_params {
    int split;       /* tl_split_rule */
    int merge;       /* tl_merge_rule */
    double smallest; /* mass of the lightest, over that of a particle of the scene's spacing */
} tl_resample_params;

extern const tl_param_table tl_resample_table;

#endif
