/* See load.h. */
#include "mesh/load.h"

#include "base/file.h"
#include "mesh/counts.h"
#include "mesh/import.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

static bool ends_in(const char *path, const char *ending) {
    const size_t length = strlen(path), tail = strlen(ending);
    return length >= tail && strcasecmp(path + length - tail, ending) == 0;
}

/* Said before anything is read. Bytes a byte of the file: text, arrays that grow, and the tables of
 * the repair; other formats are smaller and go through structs of their own. */
static tl_status check_size(const char *path, bool obj, size_t *size, tl_error *error) {
    struct stat about;
    if (stat(path, &about) != 0)
        return tl_fail_errno(error, path, "read");
    if (!S_ISREG(about.st_mode))
        return tl_fail(error, TL_BAD_INPUT, NULL, NULL, "%s is not a file", path);
    *size = (size_t)about.st_size;
    const double needed = (obj ? 8.0 : 25.0) * (double)*size,
                 free_bytes = (double)tl_available_memory();
    if (needed <= free_bytes)
        return TL_OK;
    return tl_fail(error, TL_NO_MEMORY, NULL, "use a coarser mesh",
                   "%s has %.3g GiB and needs about %.3g GiB of memory; this machine has %.3g GiB "
                   "free",
                   path, (double)*size / 0x1p30, needed / 0x1p30, free_bytes / 0x1p30);
}

static tl_status load_obj(const char *path, size_t size, tl_mesh *out, tl_error *error) {
    char *text;
    TL_TRY(tl_file_read(path, size, &text, &size, error));
    const tl_status status = tl_mesh_read_obj(text, path, out, error);
    free(text);
    return status;
}

static tl_status check_vertices(const char *path, const tl_mesh *m, tl_error *error) {
    size_t bad = 0;
    for (size_t i = 0; i < m->vertex_count; i++)
        bad += !tl_vec3_finite(m->vertices[i]);
    if (bad)
        return tl_fail(error, TL_BAD_INPUT, NULL, "write the mesh anew",
                       "%zu of the %zu vertices of %s are not finite numbers", bad, m->vertex_count,
                       path);
    if (m->triangle_count == 0)
        return tl_fail(error, TL_BAD_INPUT, NULL, NULL, "%s has no triangles", path);
    return TL_OK;
}

tl_status tl_mesh_load(const char *path, tl_mesh *out, tl_error *error) {
    size_t size = 0;
    const bool obj = ends_in(path, ".obj");
    TL_TRY(check_size(path, obj, &size, error));
    if (!obj)
        TL_TRY(tl_mesh_check_counts(path, size, error));
    TL_TRY(obj ? load_obj(path, size, out, error) : tl_mesh_import(path, size, out, error));
    return check_vertices(path, out, error);
}
