/* Work in a process of its own: for libraries that may crash, hang or take all memory when a file
 * is damaged. The child answers through a pipe; how it ends never ends the program. Private to this
 * room.
 *
 * The child is a fork, so the work sees all memory of the program as it was and may allocate, but
 * of threads it has only its own: it must not take locks that another thread may hold. One that
 * waits for ever on such a lock is ended by the clock. */
#ifndef TL_MESH_CHILD_H
#define TL_MESH_CHILD_H

#include "base/error.h"

#include <sys/types.h>

typedef struct tl_child_limits {
    double seconds; /* of processor time; by the clock, ten times as long */
    size_t memory;  /* bytes beyond what the program has */
} tl_child_limits;

typedef enum tl_child_fate {
    TL_CHILD_DONE,
    TL_CHILD_CRASHED,
    TL_CHILD_LATE, /* ended because its time was over */
} tl_child_fate;

typedef struct tl_child {
    pid_t process;
    int answer; /* what the child writes */
    double deadline;
    bool late;
} tl_child;

/* What the child does. It answers with tl_child_write. */
typedef void tl_child_fn(void *context, int answer);

/* Starts the work. End it with tl_child_end. */
tl_status tl_child_begin(tl_child *child, tl_child_fn *work, void *context,
                         const tl_child_limits *limits, tl_error *error);

/* In the child: false when nobody listens any more. */
bool tl_child_write(int answer, const void *bytes, size_t size);

/* Waits for the next bytes of the answer; false when they do not come. */
bool tl_child_read(tl_child *child, void *bytes, size_t size);

/* Ends the child, whatever it does; when its answer did not come, tells why. */
tl_child_fate tl_child_end(tl_child *child);

#endif
