/* Any bytes as mesh files that assimp reads: whatever it does, there is a mesh whose triangles have
 * their vertices, or an error. The first byte chooses the format, and between the bytes as they are
 * and edits of a good file. The child that reads is not watched: searching is by chance alone. */
#include "mesh/load.h"

#include "scratch.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct {
    const char *ending, *good;
} formats[] = {
    {".off", "OFF\n4 4 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 1 2 3\n3 2 0 3\n"},
    {".ply", "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n"
             "property float z\nproperty uchar red\nproperty uchar green\nproperty uchar blue\n"
             "element face 1\nproperty list uchar int vertex_indices\nend_header\n"
             "0 0 0 255 0 0\n1 0 0 0 255 0\n0 1 0 0 0 255\n3 0 1 2\n"},
    {".ply", "ply\nformat binary_little_endian 1.0\nelement vertex 3\nproperty uchar x\n"
             "property uchar y\nproperty uchar z\nelement face 1\n"
             "property list uchar uchar vertex_indices\nend_header\nabcdefghi\3\1\2\1"},
    {".stl", "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n"
             "endloop\nendfacet\nendsolid a\n"},
    {".gltf",
     "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],"
     "\"nodes\":[{\"mesh\":0}],\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],"
     "\"buffers\":[{\"byteLength\":36,\"uri\":\"data:application/octet-stream;base64,"
     "AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA\"}],\"bufferViews\":[{\"buffer\":0,"
     "\"byteLength\":36}],\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,"
     "\"type\":\"VEC3\",\"min\":[0,0,0],\"max\":[1,1,0]}]}"},
    {".3ds", "MM"},
};
enum { FORMATS = sizeof formats / sizeof *formats };

static void read_mesh(const char *ending, const void *bytes, size_t size) {
    char path[64];
    snprintf(path, sizeof path, P_tmpdir "/tallow-fuzz-XXXXXX%s", ending);
    const int file = mkstemps(path, (int)strlen(ending));
    require(file >= 0 && write(file, bytes, size) == (ssize_t)size);
    close(file);
    tl_mesh mesh = {0};
    tl_error error = {0};
    const tl_status status = tl_mesh_load(path, &mesh, &error);
    unlink(path);
    require(status == TL_OK ? mesh.triangle_count > 0 : error.what[0] != 0);
    for (size_t t = 0; status == TL_OK && t < mesh.triangle_count; t++)
        for (int k = 0; k < 3; k++)
            require(mesh.triangles[t][k] < mesh.vertex_count);
    tl_mesh_free(&mesh);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0 || !tl_mesh_has_assimp())
        return 0;
    const size_t format = data[0] / 2 % FORMATS;
    if (data[0] & 1) {
        read_mesh(formats[format].ending, data + 1, size - 1);
        return 0;
    }
    size_t length = strlen(formats[format].good);
    char *bytes = edit(formats[format].good, &length, data + 1, size - 1);
    read_mesh(formats[format].ending, bytes, length);
    free(bytes);
    return 0;
}
