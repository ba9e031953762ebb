/* A hash over the parameters of a table, for telling scenes apart: what is declared is in it. Here,
 * since a law is a type of parameter. */
#ifndef TL_MATERIALS_PARAM_HASH_H
#define TL_MATERIALS_PARAM_HASH_H

#include "base/param.h"

#include <stdint.h>

/* Continues a hash over all parameters of `from`, a struct of the table, but for those that are
 * idle (TL_PARAM_IDLE) or may change when a run goes on (TL_PARAM_LIVE). Of one that is optional
 * and absent only that counts. */
uint64_t tl_param_hash(uint64_t hash, const tl_param_table *table, const void *from);

#endif
