/* What is told a world while it runs, as lines of words, and the record of it: the same words at
 * the same steps make the same run, bit for bit. `tallow live` writes records, `tallow run
 * --replay` reads them.
 *
 *     set KEY NUMBER               a live parameter (tl_scene_knobs), in SI units
 *     gravity X Y Z                m/s²
 *     grip X Y Z RADIUS STRENGTH   m, m/s²: a hand takes hold
 *     carry X Y Z                  m: and goes there
 *     release                      and lets go
 *     source NAME X Y Z            m: puts a heat source there
 *     wall NAME X Y Z              m/s: drives a wall
 *     warm X Y Z RADIUS T          m, °C: gives the matter around a place a temperature
 *     pour M X Y Z U V W R T N     m, m/s, m, °C: a stream of a material, of radius R, while there
 * are fewer than N particles shut                         ends it
 *
 * A record has a line for each, after the step it follows on and the time: "120 0.48 gravity 0 0
 * 0".
 */
#ifndef TL_RUN_STEERING_H
#define TL_RUN_STEERING_H

#include "base/error.h"

enum { TL_TOLD_WORDS = 256 }; /* bytes of a line, its end included */

typedef struct tl_told {
    uint64_t step; /* made when it was told */
    double time;   /* s, for readers */
    char words[TL_TOLD_WORDS];
} tl_told;

/* A key that was set, and its value. */
typedef struct tl_told_value {
    char override[TL_TOLD_WORDS];
    size_t key_length;
} tl_told_value;

typedef struct tl_steering {
    const char *path;         /* of the scene */
    tl_scene_options options; /* it was loaded with */
    tl_told *told;            /* an array, by rising step */
    size_t count, next;       /* the next one to replay */
    tl_told_value *values;    /* an array: one a key that was set */
    size_t value_count;
    tl_scene *adopted; /* with these values; NULL: none yet */
} tl_steering;

/* Begins with nothing told. The path and the options must outlive it; findings go nowhere. */
tl_steering tl_steering_begin(const char *path, const tl_scene_options *options);
void tl_steering_free(tl_steering *steering);

/* Does what the words say, and adds them to the record. TL_BAD_INPUT, nothing done and nothing
 * recorded, when they say nothing that can be done. */
tl_status tl_steering_tell(tl_steering *steering, tl_world *world, const char *words,
                           tl_error *error);

/* Does what a record says at the step where the world is. */
tl_status tl_steering_replay(tl_steering *steering, tl_world *world, tl_error *error);

/* For a world that was loaded from a snapshot: the first `done` lines of the record were done
 * before it, and the world gets the parameters that were set by them. The rest is to be replayed.
 */
tl_status tl_steering_return(tl_steering *steering, tl_world *world, size_t done, tl_error *error);

/* How many lines are of steps before this one: of a snapshot that a run has made. */
size_t tl_steering_before(const tl_steering *steering, uint64_t step);

/* Records as files. Reading replaces what was told. */
tl_status tl_steering_write(const tl_steering *steering, const char *path, tl_error *error);
tl_status tl_steering_read(tl_steering *steering, const char *path, tl_error *error);

#endif
