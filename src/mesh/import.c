/* See import.h. Meshes of a scene are taken where its nodes put them. Of the files that assimp is
 * given, damaged ones may crash it, keep it busy for ever or have it ask for all memory: it works
 * in a process of its own (child.h). */
#include "mesh/import.h"

#include "mesh/load.h"

#ifdef TL_HAS_ASSIMP

#include "mesh/child.h"

#include <assimp/cimport.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <stdio.h>
#include <string.h>

enum { MOST = UINT32_MAX / 4 }; /* vertices, and triangles */

typedef struct importer {
    const struct aiScene *scene;
    const char *path;
    tl_mesh *out;
    size_t coloured; /* vertices with a colour */
    tl_error *error;
} importer;

static tl_vec3 to_vec3(struct aiVector3D v) {
    return (tl_vec3){(double)v.x, (double)v.y, (double)v.z};
}

static tl_status add_colour(importer *in, const struct aiColor4D *colours, size_t i) {
    tl_mesh *m = in->out;
    if (!colours)
        return TL_OK;
    TL_TRY(TL_ARRAY_RESERVE(m->colours, in->coloured, m->vertex_count, in->error));
    const struct aiColor4D c = colours[i];
    float *colour = m->colours[m->vertex_count - 1];
    colour[0] = c.r, colour[1] = c.g, colour[2] = c.b;
    in->coloured++;
    return TL_OK;
}

static tl_status add_mesh(importer *in, const struct aiMesh *mesh, const struct aiMatrix4x4 *at) {
    const size_t first = in->out->vertex_count;
    if (first + mesh->mNumVertices > MOST || in->out->triangle_count + mesh->mNumFaces > MOST)
        return tl_fail(in->error, TL_BAD_INPUT, NULL, NULL, "more than %d vertices or triangles",
                       MOST);
    for (size_t i = 0; i < mesh->mNumVertices; i++) {
        struct aiVector3D v = mesh->mVertices[i];
        aiTransformVecByMatrix4(&v, at);
        TL_TRY(tl_mesh_add_vertex(in->out, to_vec3(v), in->error));
        TL_TRY(add_colour(in, mesh->mColors[0], i));
    }
    for (size_t f = 0; f < mesh->mNumFaces; f++) {
        const struct aiFace *face = &mesh->mFaces[f];
        if (face->mNumIndices != 3) /* points and lines */
            continue;
        TL_TRY(tl_mesh_add_triangle(in->out, (uint32_t)first + face->mIndices[0],
                                    (uint32_t)first + face->mIndices[1],
                                    (uint32_t)first + face->mIndices[2], in->error));
    }
    return TL_OK;
}

static tl_status add_node(importer *in, const struct aiNode *node, struct aiMatrix4x4 at,
                          int depth) {
    enum { DEEPEST = 256 };
    if (depth == DEEPEST)
        return tl_fail(in->error, TL_BAD_INPUT, NULL, NULL, "nodes in nodes in nodes");
    aiMultiplyMatrix4(&at, &node->mTransformation);
    for (unsigned i = 0; i < node->mNumMeshes; i++)
        TL_TRY(add_mesh(in, in->scene->mMeshes[node->mMeshes[i]], &at));
    for (unsigned i = 0; i < node->mNumChildren; i++)
        TL_TRY(add_node(in, node->mChildren[i], at, depth + 1));
    return TL_OK;
}

/* ---- The child ---------------------------------------------------------------------------------
 * reads the file and sends a head and the arrays. It frees nothing: it ends. */

typedef struct head {
    int32_t good, coloured;
    uint64_t vertices, triangles;
    char what[200]; /* unless it is good */
} head;

static tl_status read_scene(importer *in) {
    in->scene = aiImportFile(in->path, aiProcess_Triangulate);
    if (!in->scene || !in->scene->mRootNode)
        return tl_fail(in->error, TL_BAD_INPUT, NULL, NULL, "%s",
                       in->scene ? "it holds nothing" : aiGetErrorString());
    struct aiMatrix4x4 identity;
    aiIdentityMatrix4(&identity);
    return add_node(in, in->scene->mRootNode, identity, 0);
}

static void import(void *path, int answer) {
    tl_mesh mesh = {0};
    tl_error error = {0};
    importer in = {.path = path, .out = &mesh, .error = &error};
    head h = {.good = read_scene(&in) == TL_OK};
    h.vertices = mesh.vertex_count;
    h.triangles = mesh.triangle_count;
    h.coloured = mesh.colours && in.coloured == mesh.vertex_count; /* or only some have one */
    snprintf(h.what, sizeof h.what, "%.199s", error.what);
    if (!tl_child_write(answer, &h, sizeof h) || !h.good)
        return;
    (void)(tl_child_write(answer, mesh.vertices, h.vertices * sizeof *mesh.vertices) &&
           tl_child_write(answer, mesh.triangles, h.triangles * sizeof *mesh.triangles) &&
           (!h.coloured ||
            tl_child_write(answer, mesh.colours, h.vertices * sizeof *mesh.colours)));
}

/* ---- The program -------------------------------------------------------------------------------
 * takes the arrays as it would take a file: a child whose memory a bad file has spoilt may send
 * anything. */

static tl_status receive(tl_child *child, const head *h, const char *path, tl_mesh *out,
                         bool *complete, tl_error *error) {
    TL_TRY(TL_ARRAY_RESERVE(out->vertices, 0, h->vertices, error));
    TL_TRY(TL_ARRAY_RESERVE(out->triangles, 0, h->triangles, error));
    if (h->coloured)
        TL_TRY(TL_ARRAY_RESERVE(out->colours, 0, h->vertices, error));
    *complete =
        tl_child_read(child, out->vertices, h->vertices * sizeof *out->vertices) &&
        tl_child_read(child, out->triangles, h->triangles * sizeof *out->triangles) &&
        (!h->coloured || tl_child_read(child, out->colours, h->vertices * sizeof *out->colours));
    if (!*complete)
        return TL_OK;
    out->vertex_count = h->vertices;
    out->triangle_count = h->triangles;
    for (size_t t = 0; t < h->triangles; t++)
        for (int k = 0; k < 3; k++)
            if (out->triangles[t][k] >= h->vertices)
                return tl_fail(error, TL_BAD_INPUT, NULL, "write the mesh anew",
                               "%s has triangles with vertices that are not there", path);
    return TL_OK;
}

static const char fine[] = "OBJ, PLY, STL, glTF and 3DS are fine";

static tl_status check_head(head *h, const char *path, const tl_child_limits *limits,
                            tl_error *error) {
    h->what[sizeof h->what - 1] = 0;
    if (strstr(h->what, "bad_alloc"))
        return tl_fail(error, TL_BAD_INPUT, NULL, "write the mesh anew, as an OBJ file",
                       "%s is damaged, or a mesh that takes more than %.3g GiB to read", path,
                       (double)limits->memory / 0x1p30);
    if (!h->good)
        return tl_fail(error, TL_BAD_INPUT, NULL, fine, "%s is not a mesh: %s", path, h->what);
    if (h->vertices > MOST || h->triangles > MOST ||
        h->vertices * sizeof(tl_vec3) + h->triangles * 3 * sizeof(uint32_t) > limits->memory)
        return tl_fail(error, TL_BAD_INPUT, NULL, "use a coarser mesh",
                       "%s has too many vertices or triangles", path);
    return TL_OK;
}

static tl_status refuse(const char *path, tl_child_fate fate, const tl_child_limits *limits,
                        tl_error *error) {
    if (fate == TL_CHILD_LATE)
        return tl_fail(error, TL_BAD_INPUT, NULL, "write the mesh anew, as an OBJ file",
                       "%s is damaged, or a mesh that takes more than %.0f s to read", path,
                       limits->seconds);
    return tl_fail(error, TL_BAD_INPUT, NULL, "write the mesh anew",
                   "%s is damaged: the library that reads such files crashed over it", path);
}

tl_status tl_mesh_import(const char *path, size_t size, tl_mesh *out, tl_error *error) {
    const tl_child_limits limits = {.seconds = 3 + (double)size / 0x1p20,
                                    .memory = ((size_t)2 << 30) + 100 * size};
    tl_child child;
    head h;
    TL_TRY(tl_child_begin(&child, import, (void *)path, &limits, error));
    bool complete = tl_child_read(&child, &h, sizeof h);
    tl_status status = TL_OK;
    if (complete) {
        status = check_head(&h, path, &limits, error);
        if (status == TL_OK)
            status = receive(&child, &h, path, out, &complete, error);
    }
    const tl_child_fate fate = tl_child_end(&child);
    return complete ? status : refuse(path, fate, &limits, error);
}

bool tl_mesh_has_assimp(void) { return true; }

#else

tl_status tl_mesh_import(const char *path, size_t size, tl_mesh *out, tl_error *error) {
    (void)size, (void)out;
    return tl_fail(error, TL_BAD_INPUT, NULL,
                   "turn it into an OBJ file, or build with -Dmeshes=enabled",
                   "%s: this build reads OBJ files only", path);
}

bool tl_mesh_has_assimp(void) { return false; }

#endif
