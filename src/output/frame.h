/* A frame: what a run shows at one moment, as plain arrays over the particles. Every writer takes
 * one and the reader gives one, so that formats know nothing of worlds.
 *
 * Components, here and in the names of columns: 3 are x y z; 6 are the symmetric tensor
 * xx yy zz xy xz yz, but in VTP files, where ParaView wants yz before xz; 9 are a matrix, row by
 * row. */
#ifndef TL_OUTPUT_FRAME_H
#define TL_OUTPUT_FRAME_H

#include "particles/fields.h"

typedef struct tl_frame_array {
    const char *name, *unit, *doc;
    tl_type type;
    int components;
    const void *data; /* [count * components] */
} tl_frame_array;

/* A source as it shines at that moment. */
typedef struct tl_frame_flame {
    double at[3]; /* m: its middle */
    double power; /* W; of a flame on a wick all that it sets free */
} tl_frame_flame;

enum { TL_FRAME_FLAMES = 16 };

/* Zero-initialise. array[0] is "position": 3 components, float or double. */
typedef struct tl_frame {
    double time; /* s */
    uint64_t step;
    size_t count; /* particles */
    tl_frame_array array[TL_MAX_FIELDS];
    size_t array_count;
    tl_frame_flame flame[TL_FRAME_FLAMES]; /* one a source, where these depend on what has burnt */
    size_t flame_count;
    tl_arena memory; /* of a frame that was read; empty in a view */
} tl_frame;

/* How writers store doubles. Floats keep frames small and are what viewers compute with. */
typedef enum tl_doubles { TL_DOUBLES_AS_FLOATS, TL_DOUBLES_KEPT } tl_doubles;

/* A view of "position", which `fields` must have, and of all fields that are shown. Nothing is
 * copied: the frame is good until the fields change. */
void tl_frame_of_fields(const tl_fields *fields, double time, uint64_t step, tl_frame *out);

/* The array called `name`, or NULL. */
const tl_frame_array *tl_frame_find(const tl_frame *frame, const char *name);

/* Element i of an array, of count * components, whatever its type. */
double tl_frame_number(const tl_frame_array *array, size_t i);

/* A copy of a frame as a file would hold it, until tl_frame_free. Names stay those of `from`. */
tl_status tl_frame_copy(const tl_frame *from, tl_doubles doubles, tl_frame *out, tl_error *error);

/* TL_BAD_INPUT naming `path` unless the frame can be written: it starts with a position, and names
 * are unique. */
tl_status tl_frame_check(const tl_frame *frame, const char *path, tl_error *error);

/* Frees what a frame that was read owns, and empties it. A view needs no freeing; it does no harm.
 */
void tl_frame_free(tl_frame *frame);

/* "x", "xy" or "7" for component `index` of `components`; empty when there is only one. */
enum { TL_COMPONENT_NAME = 12 };
void tl_component_name(int components, int index, char out[TL_COMPONENT_NAME]);

/* The type that `type` is stored as. */
static inline tl_type tl_stored_type(tl_type type, tl_doubles doubles) {
    return type == TL_F64 && doubles == TL_DOUBLES_AS_FLOATS ? TL_F32 : type;
}

#endif
