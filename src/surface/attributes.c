/* See attributes.h. */
#include "surface/attributes.h"

#include "math/kernels.h"

#include <math.h>
#include <string.h>

/* What surfaces show, if the frame has it. */
static const char *const shown[] = {"velocity", "temperature",     "viscosity", "material",
                                    "body",     "liquid_fraction", "phase"};
enum { SHOWN = sizeof shown / sizeof *shown, MOST_COLUMNS = SHOWN + 1, MOST_COMPONENTS = 9 };

typedef struct column {
    const tl_frame_array *from;
    void *to;
    bool is_mean;
} column;

typedef struct job {
    const tl_cloud *cloud;
    const tl_mesh *mesh;
    column columns[MOST_COLUMNS];
    size_t column_count;
    uint32_t *nearest;
} job;

static double value_of(const tl_frame_array *a, size_t i) {
    return a->type == TL_F32 ? (double)((const float *)a->data)[i] : ((const double *)a->data)[i];
}

/* ---- One vertex ---------------------------------------------------------------------------- */

typedef struct gathering {
    const job *job;
    double weight, sums[MOST_COLUMNS][MOST_COMPONENTS];
    float nearest2;   /* spacings² */
    uint32_t nearest; /* sorted particle */
} gathering;

static void add_particle(gathering *g, uint32_t sorted, double weight) {
    const job *j = g->job;
    const size_t i = j->cloud->index[j->cloud->cells.id[sorted]];
    g->weight += weight;
    for (size_t c = 0; c < j->column_count; c++) {
        const size_t n = (size_t)j->columns[c].from->components;
        for (size_t k = 0; j->columns[c].is_mean && k < n; k++)
            g->sums[c][k] += weight * value_of(j->columns[c].from, n * i + k);
    }
}

static void gather(gathering *g, const float x[3]) {
    const tl_cloud *cloud = g->job->cloud;
    const tl_cells *cells = &cloud->cells;
    const float support = TL_BLOB_THIN;
    const float low[3] = {x[0] - support, x[1] - support, x[2] - support};
    const float high[3] = {x[0] + support, x[1] + support, x[2] + support};
    tl_stretch runs[TL_CLOUD_RUNS];
    const size_t count = tl_cloud_runs(cloud, low, high, runs);
    for (size_t r = 0; r < count; r++)
        for (uint32_t i = runs[r].begin; i < runs[r].end; i += TL_LANES) {
            const tl_wide dx = tl_load(cells->x + i) - tl_splat(x[0]),
                          dy = tl_load(cells->y + i) - tl_splat(x[1]),
                          dz = tl_load(cells->z + i) - tl_splat(x[2]);
            const tl_wide d2 = dx * dx + dy * dy + dz * dz;
            const tl_wide w = tl_kernel_shape(TL_KERNEL_WENDLAND, tl_sqrt(d2) * (1 / support));
            for (unsigned mask = tl_mask_less(tl_splat(0), w); mask; mask &= mask - 1) {
                const uint32_t l = (uint32_t)__builtin_ctz(mask);
                if (i + l >= runs[r].end)
                    break;
                if (tl_lane(d2, (int)l) < g->nearest2)
                    g->nearest2 = tl_lane(d2, (int)l), g->nearest = i + l;
                if (g->job->column_count > 0)
                    add_particle(g, i + l, (double)tl_lane(w, (int)l));
            }
        }
}

static void write_vertex(const gathering *g, size_t vertex) {
    const job *j = g->job;
    const size_t i = j->cloud->index[j->cloud->cells.id[g->nearest]];
    for (size_t c = 0; c < j->column_count; c++) {
        const column *col = &j->columns[c];
        const size_t n = (size_t)col->from->components, size = tl_type_size(col->from->type) * n;
        if (!col->is_mean)
            memcpy((char *)col->to + vertex * size, (const char *)col->from->data + i * size, size);
        for (size_t k = 0; col->is_mean && k < n; k++)
            ((float *)col->to)[vertex * n + k] =
                (float)(g->weight > 0 ? g->sums[c][k] / g->weight : value_of(col->from, n * i + k));
    }
}

static void fill_vertices(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const job *j = context;
    const double *m = j->cloud->middle, s = 1 / j->cloud->spacing;
    for (size_t v = begin; v < end; v++) {
        const tl_vec3 p = j->mesh->vertices[v];
        const float x[3] = {(float)((p.x - m[0]) * s), (float)((p.y - m[1]) * s),
                            (float)((p.z - m[2]) * s)};
        gathering g = {.job = j, .nearest2 = INFINITY};
        gather(&g, x);
        if (j->nearest)
            j->nearest[v] = g.nearest;
        write_vertex(&g, v);
    }
}

/* ---- All ----------------------------------------------------------------------------------- */

void tl_surface_nearest(const tl_surface *s, const tl_parallel *parallel, uint32_t *out) {
    job j = {.cloud = &s->cloud, .mesh = &s->mesh, .nearest = out};
    tl_parallel_for(parallel, s->mesh.vertex_count, TL_BLOCK, fill_vertices, &j);
}

/* A column of the vertices' frame; NULL when out of memory. */
static void *add_column(tl_surface *s, tl_frame_array array, tl_error *error) {
    const size_t c = s->vertices.array_count;
    const size_t bytes =
        s->mesh.vertex_count * (size_t)array.components * tl_type_size(array.type) + 1;
    if (tl_array_reserve(&s->columns[c], 0, bytes, 1, error) != TL_OK)
        return NULL;
    array.data = s->columns[c];
    s->vertices.array[s->vertices.array_count++] = array;
    return s->columns[c];
}

static tl_status add_columns(tl_surface *s, const tl_frame *frame, const char *also, job *j,
                             tl_error *error) {
    for (size_t i = 0; i < MOST_COLUMNS; i++) {
        const char *name = i < SHOWN ? shown[i] : also;
        const tl_frame_array *from = name ? tl_frame_find(frame, name) : NULL;
        if (!from || from->components > MOST_COMPONENTS || tl_frame_find(&s->vertices, name))
            continue;
        tl_frame_array array = *from;
        const bool is_mean = from->type == TL_F32 || from->type == TL_F64;
        array.type = is_mean ? TL_F32 : from->type;
        void *to = add_column(s, array, error);
        if (!to)
            return TL_NO_MEMORY;
        j->columns[j->column_count++] = (column){from, to, is_mean};
    }
    return TL_OK;
}

tl_status tl_surface_attributes(tl_surface *s, const tl_frame *frame, const char *also,
                                const tl_parallel *parallel, tl_error *error) {
    job j = {.cloud = &s->cloud, .mesh = &s->mesh};
    s->vertices = (tl_frame){.time = frame->time, .step = frame->step};
    s->vertices.count = s->mesh.vertex_count;
    s->vertices.array[s->vertices.array_count++] = (tl_frame_array){
        "position", "m", "Place", TL_F64, 3, s->mesh.vertices ? (void *)s->mesh.vertices : ""};
    float(*normal)[3] = add_column(
        s, (tl_frame_array){"normal", "", "Unit vector out of the matter", TL_F32, 3, NULL}, error);
    if (!normal)
        return TL_NO_MEMORY;
    tl_mesh_normals(&s->mesh, normal);
    TL_TRY(add_columns(s, frame, also, &j, error));
    tl_parallel_for(parallel, s->mesh.vertex_count, TL_BLOCK, fill_vertices, &j);
    return TL_OK;
}
