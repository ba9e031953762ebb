/* Taking over what may change while a world runs. Here, since a law is a type of parameter. */
#ifndef TL_MATERIALS_PARAM_LIVE_H
#define TL_MATERIALS_PARAM_LIVE_H

#include "base/param.h"

/* Gives `to` the parameters of `from`, both structs of the table, that may change when a run goes
 * on (TL_PARAM_LIVE), and leaves all others as they are. Lists and texts stay those of `from`. */
void tl_param_take_live(const tl_param_table *table, void *to, const void *from);

/* Bytes of a member of this type; of a section without a table, those of its variants. */
size_t tl_param_size(const tl_param *param, const void *at);

#endif
