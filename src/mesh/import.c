/* See import.h. Meshes of a scene are taken where its nodes put them. */
#include "mesh/import.h"

#include "mesh/load.h"

#ifdef TL_HAS_ASSIMP

#include <assimp/cimport.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <stdlib.h>

typedef struct importer {
    const struct aiScene *scene;
    const char *path;
    tl_mesh *out;
    size_t colour_capacity, coloured;
    tl_error *error;
} importer;

static tl_vec3 to_vec3(struct aiVector3D v) {
    return (tl_vec3){(double)v.x, (double)v.y, (double)v.z};
}

static tl_status add_colour(importer *in, const struct aiColor4D *colours, size_t i) {
    tl_mesh *m = in->out;
    if (!colours)
        return TL_OK;
    TL_TRY(TL_RESERVE(m->colours, in->colour_capacity, in->coloured, m->vertex_count, in->error));
    const struct aiColor4D c = colours[i];
    float *colour = m->colours[m->vertex_count - 1];
    colour[0] = c.r, colour[1] = c.g, colour[2] = c.b;
    in->coloured++;
    return TL_OK;
}

static tl_status add_mesh(importer *in, const struct aiMesh *mesh, const struct aiMatrix4x4 *at) {
    const size_t first = in->out->vertex_count;
    if (first + mesh->mNumVertices > UINT32_MAX / 4 ||
        in->out->triangle_count + mesh->mNumFaces > UINT32_MAX / 4)
        return tl_fail(in->error, TL_BAD_INPUT, NULL, "use a coarser mesh",
                       "%s has more than %u vertices or triangles", in->path, UINT32_MAX / 4);
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
        return tl_fail(in->error, TL_BAD_INPUT, NULL, NULL, "%s has nodes in nodes in nodes",
                       in->path);
    aiMultiplyMatrix4(&at, &node->mTransformation);
    for (unsigned i = 0; i < node->mNumMeshes; i++)
        TL_TRY(add_mesh(in, in->scene->mMeshes[node->mMeshes[i]], &at));
    for (unsigned i = 0; i < node->mNumChildren; i++)
        TL_TRY(add_node(in, node->mChildren[i], at, depth + 1));
    return TL_OK;
}

tl_status tl_mesh_import(const char *path, tl_mesh *out, tl_error *error) {
    importer in = {.path = path, .out = out, .error = error};
    in.scene = aiImportFile(path, aiProcess_Triangulate);
    if (!in.scene || !in.scene->mRootNode) {
        const tl_status status =
            tl_fail(error, TL_BAD_INPUT, NULL, "OBJ, PLY, STL, glTF and 3DS are fine",
                    "%s is not a mesh: %s", path, aiGetErrorString());
        aiReleaseImport(in.scene);
        return status;
    }
    struct aiMatrix4x4 identity;
    aiIdentityMatrix4(&identity);
    const tl_status status = add_node(&in, in.scene->mRootNode, identity, 0);
    aiReleaseImport(in.scene);
    if (in.coloured != out->vertex_count) { /* only some have one */
        free(out->colours);
        out->colours = NULL;
    }
    return status;
}

bool tl_mesh_has_assimp(void) { return true; }

#else

tl_status tl_mesh_import(const char *path, tl_mesh *out, tl_error *error) {
    (void)out;
    return tl_fail(error, TL_BAD_INPUT, NULL,
                   "turn it into an OBJ file, or build with -Dmeshes=enabled",
                   "%s: this build reads OBJ files only", path);
}

bool tl_mesh_has_assimp(void) { return false; }

#endif
