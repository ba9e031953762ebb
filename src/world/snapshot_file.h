/* Snapshots on disk: HDF5, one dataset a saved field under /particles, one root attribute a value.
 * Any HDF5 program reads them.
 *
 * The first 512 bytes (HDF5's user block) seal the file: its size and a hash of all the rest. A
 * file is handed to HDF5 only when the seal holds, since HDF5 itself may crash on damaged files.
 * Equal states give equal bytes: nothing in the file depends on the clock or the machine. */
#ifndef TL_WORLD_SNAPSHOT_FILE_H
#define TL_WORLD_SNAPSHOT_FILE_H

#include "particles/fields.h"

/* A named number beside the fields: time, step, scene_hash, ... The names "format",
 * "format_version", "tallow_version" and "particles" are taken. */
typedef struct tl_snapshot_value {
    const char *name;
    tl_type type; /* TL_F64 or TL_U64 */
    union {
        double f64;
        uint64_t u64;
    };
} tl_snapshot_value;

enum { TL_SNAPSHOT_SEAL = 512 };

/* The seal of a file: its first bytes, made for the rest of it. */
void tl_snapshot_seal(const char *bytes, size_t size, char seal[TL_SNAPSHOT_SEAL]);

/* Writes all saved fields and the values, whole or not at all. Needs memory for one copy of them
 * meanwhile. */
tl_status tl_snapshot_write(const char *path, const tl_fields *fields,
                            const tl_snapshot_value *values, size_t value_count, tl_error *error);

/* Resizes `fields` to the snapshot, fills its saved fields bit for bit (the others are zero where
 * particles are new) and fills the values by name. File and table must have the same saved fields;
 * values that nobody asks for are left out. On failure the fields are in no particular state. */
tl_status tl_snapshot_read(const char *path, tl_fields *fields, tl_snapshot_value *values,
                           size_t value_count, tl_error *error);

/* The values alone: a look at a snapshot without its particles. */
tl_status tl_snapshot_read_values(const char *path, tl_snapshot_value *values, size_t value_count,
                                  tl_error *error);

#endif
