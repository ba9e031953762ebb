/* frames.pvd: the list of frames with their times, which ParaView opens as one animation. */
#ifndef TL_OUTPUT_PVD_H
#define TL_OUTPUT_PVD_H

#include "base/array.h"

typedef struct tl_pvd_entry {
    double time;    /* s */
    char file[128]; /* relative to the folder of the list: "frames/00012.vtp" */
} tl_pvd_entry;

/* Zero-initialise. */
typedef struct tl_pvd {
    tl_pvd_entry *entries;
    size_t count;
} tl_pvd;

/* Appends a frame. */
tl_status tl_pvd_add(tl_pvd *list, double time, const char *file, tl_error *error);

/* Drops the frames later than `time`: a run that resumes from `time` will write them again. */
void tl_pvd_cut(tl_pvd *list, double time);

/* Writes the list anew, whole or not at all: a viewer may read it during the run. */
tl_status tl_pvd_write(const char *path, const tl_pvd *list, tl_error *error);

/* Reads a list that tl_pvd_write made into an empty one. */
tl_status tl_pvd_read(const char *path, tl_pvd *out, tl_error *error);

void tl_pvd_free(tl_pvd *list);

#endif
