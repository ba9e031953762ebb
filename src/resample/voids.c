/* See voids.h. The tetrahedra of Delaunay are the lower faces of the convex hull of the points
 * (x, |x|²). Such a face lies in a plane n·x + m |x|² + o = 0, which over x is the sphere about
 * -n / 2m. */
#include "resample/voids.h"

#include "base/array.h"

#include <libqhull_r/qhull_ra.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool tl_voids_available(void) { return true; }

/* ---- Qhull -------------------------------------------------------------------------------------
 */

typedef struct hull {
    qhT qhull;
    char *said; /* what it complained of */
    size_t said_size;
    bool flat; /* there is none: all points lie in a plane */
} hull;

static tl_status explain(const hull *h, int code, tl_error *error) {
    const char *said = h->said && *h->said ? h->said : "";
    return tl_fail(error, code == qh_ERRmem ? TL_NO_MEMORY : TL_BAD_INPUT, "resample.split",
                   "use split: strain", "Qhull failed (%d): %.*s", code, (int)strcspn(said, "\n"),
                   said);
}

static void close_hull(hull *h) {
    int inner, total;
    qh_freeqhull(&h->qhull, !qh_ALL);
    qh_memfreeshort(&h->qhull, &inner, &total);
    free(h->said);
}

/* Of `count` points in space, which it keeps a reference to. Closed by itself where it fails. */
static tl_status open_hull(hull *h, double *points, size_t count, char *command, tl_error *error) {
    *h = (hull){0};
    FILE *complaints = open_memstream(&h->said, &h->said_size);
    if (!complaints)
        return tl_fail_errno(error, "Qhull", "speak to");
    qh_zero(&h->qhull, complaints);
    const int code =
        qh_new_qhull(&h->qhull, 3, (int)count, points, False, command, NULL, complaints);
    fclose(complaints);
    h->flat = code == qh_ERRsingular;
    if (code == 0 || h->flat)
        return TL_OK;
    const tl_status status = explain(h, code, error);
    close_hull(h);
    return status;
}

/* ---- Voids -------------------------------------------------------------------------------------
 */

/* Places about their own centre: squares stay as small as they can be. */
static double *center_places(const double *places, size_t count, tl_vec3 *center) {
    double *points = malloc((count ? count : 1) * 3 * sizeof *points), sum[3] = {0};
    for (size_t c = 0; c < 3 * count; c++)
        sum[c % 3] += places[c] / (double)count;
    for (size_t c = 0; points && c < 3 * count; c++)
        points[c] = places[c] - sum[c % 3];
    *center = tl_vec3_of(sum);
    return points;
}

/* The sphere of a face; Qhull may have scaled |x|². */
static bool sphere_of(const qhT *q, const facetT *face, tl_vec3 *center) {
    const double scale = q->SCALElast ? q->last_newhigh / (q->last_high - q->last_low) : 1;
    const double up = face->normal[3] * scale;
    if (face->upperdelaunay || !(up < 0))
        return false;
    *center = tl_vec3_scale(tl_vec3_of(face->normal), -0.5 / up);
    return tl_vec3_finite(*center);
}

/* Whom a sphere touches: the radius, to the nearest, and the mean of their limits. */
static double touch(qhT *q, facetT *face, const double *points, const double *limits,
                    tl_void *sphere) {
    vertexT *vertex, **vertexp;
    size_t count = 0;
    double limit = 0;
    sphere->radius = HUGE_VAL;
    FOREACHvertex_(face->vertices) {
        const int at = qh_pointid(q, vertex->point);
        const tl_vec3 d = tl_vec3_sub(tl_vec3_of(points + 3 * at), sphere->center);
        sphere->radius = fmin(sphere->radius, tl_vec3_length(d));
        limit += limits[at];
        if (count < 4)
            sphere->corners[count] = (uint32_t)at;
        count++;
    }
    return limit / (double)count;
}

static tl_status list_voids(hull *h, const double *points, tl_vec3 middle, const double *limits,
                            tl_void **out, size_t *found, tl_error *error) {
    facetT *facet;
    qhT *qh = &h->qhull; /* Qhull's loops know it by this name */
    FORALLfacets {
        tl_void sphere;
        if (!sphere_of(qh, facet, &sphere.center) ||
            !(touch(qh, facet, points, limits, &sphere) < sphere.radius))
            continue;
        TL_TRY(TL_ARRAY_RESERVE(*out, *found, *found + 1, error));
        sphere.center = tl_vec3_add(sphere.center, middle);
        (*out)[(*found)++] = sphere;
    }
    return TL_OK;
}

tl_status tl_voids_find(const double *places, size_t count, const double *limits, tl_void **out,
                        size_t *found, tl_error *error) {
    /* d Delaunay, Qz a point far away, for places that lie on one sphere, Pp without warnings */
    char command[] = "qhull d Qz Pp";
    tl_vec3 middle;
    hull h;
    *out = NULL;
    *found = 0;
    if (count < 5)
        return TL_OK;
    double *points = center_places(places, count, &middle);
    if (!points)
        return tl_fail_memory(error, 3 * count, sizeof *points);
    tl_status status = open_hull(&h, points, count, command, error);
    if (status == TL_OK) {
        if (!h.flat)
            status = list_voids(&h, points, middle, limits, out, found, error);
        close_hull(&h);
    }
    free(points);
    return status;
}

/* ---- The hull ----------------------------------------------------------------------------------
 */

tl_status tl_hull_holds(const tl_vec3 *places, size_t count, tl_vec3 x, double inside, bool *holds,
                        tl_error *error) {
    char command[] = "qhull Pp";
    hull h;
    *holds = false;
    if (count < 4)
        return TL_OK;
    double *points = malloc(count * 3 * sizeof *points);
    if (!points)
        return tl_fail_memory(error, 3 * count, sizeof *points);
    for (size_t i = 0; i < count; i++) {
        const tl_vec3 d = tl_vec3_sub(places[i], x);
        points[3 * i] = d.x, points[3 * i + 1] = d.y, points[3 * i + 2] = d.z;
    }
    const tl_status status = open_hull(&h, points, count, command, error);
    if (status == TL_OK) {
        facetT *facet;
        qhT *qh = &h.qhull;
        bool within = !h.flat;
        if (!h.flat)
            FORALLfacets {
                if (facet->offset > -inside)
                    within = false;
            }
        *holds = within;
        close_hull(&h);
    }
    free(points);
    return status;
}
