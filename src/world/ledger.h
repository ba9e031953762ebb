/* The books: what is conserved, and where the rest went. One row of ledger.csv. A column is
 * declared once, in books.def: name, unit, doc; CSV, `tallow info` and plots read that table. */
#ifndef TL_WORLD_LEDGER_H
#define TL_WORLD_LEDGER_H

#include <stddef.h>

typedef struct tl_ledger {
#define BOOKED(name, unit, doc)  double name;
#define BOOKED3(name, unit, doc) double name[3];
#define COUNTED(name, unit, doc) double name;
#define FOUND(name, unit, doc)   double name;
#define FOUND3(name, unit, doc)  double name[3];
#include "world/books.def"
} tl_ledger;

typedef struct tl_ledger_column {
    const char *name, *unit, *doc;
    size_t offset; /* of a double in tl_ledger */
} tl_ledger_column;

extern const tl_ledger_column tl_ledger_columns[];
extern const size_t tl_ledger_column_count;

#endif
