/* See surface.h. */
#include "surface/surface.h"

#include "surface/attributes.h"
#include "surface/extract.h"

#include <math.h>
#include <stdlib.h>

/* The volume that each piece should have: what it has before smoothing, but of a drop of a few
 * particles that of the particles, which the edges of a coarse mesh cut into. The particles of a
 * piece are those nearest to its vertices; of a large piece these are too few to matter. */
static tl_status find_volumes(const tl_surface *s, const tl_parallel *parallel, double *wanted,
                              tl_error *error) {
    const size_t n = s->mesh.vertex_count;
    const double most = 1.8, particle = pow(s->cloud.spacing, 3);
    double(*now)[2] = tl_allocate(s->links.piece_count + 1, sizeof *now);
    double *count = tl_allocate(s->links.piece_count + 1, sizeof *count);
    uint32_t *nearest = tl_allocate(n + 1, sizeof *nearest);
    bool *is_seen = tl_allocate(s->cloud.count + 1, sizeof *is_seen);
    tl_status status =
        now && count && nearest && is_seen ? TL_OK : tl_fail_memory(error, n, sizeof *nearest);
    if (status == TL_OK) {
        tl_surface_nearest(s, parallel, nearest);
        tl_mesh_measure(&s->mesh, &s->links, now);
        for (size_t v = 0; v < n; v++) {
            const float size = tl_cloud_size(&s->cloud, nearest[v]);
            if (!is_seen[nearest[v]])
                count[s->links.piece[v]] += particle * (double)(size * size * size);
            is_seen[nearest[v]] = true;
        }
        for (size_t p = 0; p < s->links.piece_count; p++) {
            const double volume = now[p][0], full = fmin(count[p], most * volume);
            wanted[p] = volume > 0 ? fmax(volume, full) : volume; /* bubbles are negative */
        }
    }
    free(now);
    free(count);
    free(nearest);
    free(is_seen);
    return status;
}

static tl_status smooth(tl_surface *s, int pairs, const tl_parallel *parallel, tl_error *error) {
    TL_TRY(tl_mesh_link(&s->links, &s->mesh, error));
    s->pieces = s->links.piece_count;
    if (s->pieces == 0)
        return TL_OK;
    double *wanted = tl_allocate(s->pieces, sizeof *wanted);
    tl_status status = wanted ? find_volumes(s, parallel, wanted, error)
                              : tl_fail_memory(error, s->pieces, sizeof *wanted);
    if (status == TL_OK)
        status = tl_mesh_smooth(&s->mesh, &s->links, pairs, parallel, error);
    if (status == TL_OK)
        status = tl_mesh_set_volumes(&s->mesh, &s->links, wanted, error);
    free(wanted);
    return status;
}

tl_status tl_surface_make(tl_surface *s, const tl_frame *frame, const tl_surface_options *o,
                          tl_error *error) {
    const tl_parallel parallel = tl_parallel_create(o->threads);
    if (!(o->spacing > 0 && isfinite(o->spacing)))
        return tl_fail(error, TL_BAD_INPUT, NULL, "give the spacing of the particles",
                       "a surface needs the spacing of the particles, more than 0");
    if (!(o->cells >= 0.1 && o->cells <= 1))
        return tl_fail(error, TL_BAD_INPUT, NULL, "choose 0.1 to 1 spacings",
                       "cells of %g spacings are too small or too large", o->cells);
    s->blocks.count = 0;
    TL_TRY(
        tl_cloud_make(&s->cloud, frame, o->spacing, TL_BLOB_THIN, o->material, &parallel, error));
    s->left_out = s->cloud.left_out;
    s->blobs.count = 0;
    if (s->cloud.count > 0)
        TL_TRY(tl_blobs_make(&s->blobs, &s->cloud, o->round, &parallel, error));
    const tl_field_options field = {(float)o->cells * s->cloud.least, o->everywhere};
    TL_TRY(tl_field_make(&s->cloud, &s->blobs, &field, &parallel, &s->blocks, error));
    TL_TRY(tl_surface_extract(&s->blocks, &parallel, &s->mesh, error));
    TL_TRY(smooth(s, o->smooth, &parallel, error));
    return tl_surface_attributes(s, frame, o->also, &parallel, error);
}

size_t tl_surface_bytes(const tl_surface *s) {
    size_t bytes =
        tl_cells_bytes(&s->cloud.cells) +
        TL_ARRAYS_BYTES(s->cloud.xyz, s->cloud.size, s->cloud.index, s->blobs.blob, s->blocks.at,
                        s->blocks.value, s->mesh.vertices, s->mesh.triangles, s->links.begin,
                        s->links.beside, s->links.piece);
    for (size_t c = 0; c < TL_MAX_FIELDS; c++)
        bytes += tl_array_bytes(s->columns[c]);
    return bytes;
}

void tl_surface_free(tl_surface *s) {
    tl_cloud_free(&s->cloud);
    tl_blobs_free(&s->blobs);
    tl_blocks_free(&s->blocks);
    tl_mesh_links_free(&s->links);
    tl_mesh_free(&s->mesh);
    for (size_t c = 0; c < TL_MAX_FIELDS; c++)
        tl_array_free(s->columns[c]);
    *s = (tl_surface){0};
}
