/* Snapshots with any numbers in them, and a seal that is right: the world is refused, or it makes a
 * step, or that one fails with an error. Only numbers are changed, not what HDF5 keeps of its own:
 * against changes of that there is the seal. The first byte chooses between this and the bytes as
 * they are. */
#include "tallow/tallow.h"
#include "world/snapshot_file.h"

#include "scratch.h"

#include <hdf5.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char scene_text[] =
    "spacing: 1 cm\n"
    "duration: 1 s\n"
    "materials:\n"
    "  m: {density: 1000, viscosity: 1 Pa·s, specific_heat: 2000, conductivity: 0.3}\n"
    "heat: {ambient: 20}\n"
    "bodies:\n"
    "  - {material: m, temperature: 20, box: {from: [0, 0, 0], to: [0.02, 0.02, 0.02]}}\n"
    "  - {material: m, temperature: 30, rigid: true, box: {from: [0.1, 0, 0], to: [0.12, 0.02, "
    "0.02]}}\n"
    "emitters:\n"
    "  - {material: m, temperature: 25, speed: 0.1 m/s, rectangle: {center: [0.3, 0, 0.1], "
    "direction: [0, 0, -1], width: 2 cm, height: 2 cm}}\n"
    "walls: [{plane: z, at: 0, temperature: 40, heat_capacity: 5}]\n";

enum { MOST_BYTES = 1 << 17, MOST_SPANS = 256 };

/* Where the numbers stand in a good snapshot. */
static struct snapshot {
    tl_scene *scene;
    char bytes[MOST_BYTES];
    size_t size;
    struct {
        size_t at, size, element;
    } spans[MOST_SPANS];
    size_t count;
} good;

static void add_span(size_t at, size_t size, size_t element) {
    require(good.count < MOST_SPANS);
    good.spans[good.count].at = at;
    good.spans[good.count].size = size;
    good.spans[good.count++].element = element;
}

static herr_t find_field(hid_t group, const char *name, const H5L_info_t *link, void *context) {
    (void)link, (void)context;
    const hid_t dataset = H5Dopen2(group, name, H5P_DEFAULT), type = H5Dget_type(dataset);
    add_span((size_t)H5Dget_offset(dataset), (size_t)H5Dget_storage_size(dataset),
             H5Tget_size(type));
    H5Tclose(type);
    H5Dclose(dataset);
    return 0;
}

/* The bytes of an attribute are where this number is found that nothing else has. */
static herr_t mark_value(hid_t file, const char *name, const H5A_info_t *about, void *context) {
    (void)about, (void)context;
    const hid_t value = H5Aopen(file, name, H5P_DEFAULT), type = H5Aget_type(value);
    const uint64_t mark = UINT64_C(0x5ca1ab1e00000000) + good.count;
    if (H5Tget_class(type) != H5T_STRING && strcmp(name, "fingerprint") != 0) {
        require(H5Awrite(value, type, &mark) >= 0);
        add_span(0, sizeof mark, sizeof mark);
    }
    H5Tclose(type);
    H5Aclose(value);
    return 0;
}

static size_t load_bytes(const char *path, char *bytes) {
    FILE *stream = fopen(path, "rb");
    require(stream != NULL);
    const size_t size = fread(bytes, 1, MOST_BYTES, stream);
    fclose(stream);
    require(size > 0 && size < MOST_BYTES);
    return size;
}

static void find_spans(const char *path) {
    static char marked[MOST_BYTES];
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT), group = H5Gopen2(file, "particles", 0);
    require(file >= 0 && group >= 0);
    require(H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, NULL, find_field, NULL) >= 0);
    const size_t first = good.count;
    require(H5Aiterate2(file, H5_INDEX_NAME, H5_ITER_INC, NULL, mark_value, NULL) >= 0);
    H5Gclose(group);
    H5Fclose(file);
    const size_t size = load_bytes(path, marked);
    for (size_t s = first; s < good.count; s++) {
        const uint64_t mark = UINT64_C(0x5ca1ab1e00000000) + s;
        const char *at = memmem(marked, size, &mark, sizeof mark);
        require(at != NULL);
        good.spans[s].at = (size_t)(at - marked);
    }
}

static void make_good(void) {
    char folder[] = P_tmpdir "/tallow-fuzz-XXXXXX", path[64];
    tl_world *world;
    tl_error error = {0};
    const tl_world_options one = {.threads = 1};
    require(mkdtemp(folder) != NULL);
    snprintf(path, sizeof path, "%s/good.h5", folder);
    if (tl_scene_load_memory(scene_text, strlen(scene_text), "fuzz", NULL, &good.scene, &error) ||
        tl_world_create(good.scene, &one, &world, &error) || tl_world_step(world, NULL, &error) ||
        tl_world_save(world, path, &error)) {
        fprintf(stderr, "%s: %s\n", error.where, error.what);
        abort();
    }
    tl_world_destroy(world);
    good.size = load_bytes(path, good.bytes);
    find_spans(path);
    unlink(path);
    rmdir(folder);
}

/* Eleven bytes an edit: which span, which number of it, and what it becomes; a number may also be
 * one of those that are like no other. */
static void change(char *bytes, const uint8_t *e) {
    static const double odd[] = {0, -1, 1e-320, 1e18, 1e308, -1e308, 0.5, 4294967296.0};
    const size_t s = e[0] % good.count, element = good.spans[s].element;
    if (good.spans[s].size < element)
        return;
    char *at = bytes + good.spans[s].at + e[1] % (good.spans[s].size / element) * element;
    const double special = odd[e[3] % 8];
    const float narrow = (float)special;
    if (e[2] & 1)
        memcpy(at, e + 3, element);
    else if (element == sizeof special)
        memcpy(at, &special, element);
    else if (element == sizeof narrow)
        memcpy(at, &narrow, element);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static char bytes[MOST_BYTES];
    if (!good.scene)
        make_good();
    if (size == 0 || size > MOST_BYTES)
        return 0;
    size_t length = size - 1;
    memcpy(bytes, data + 1, length);
    if (data[0] & 1) {
        length = good.size;
        memcpy(bytes, good.bytes, length);
        for (size_t e = 1; e + 11 <= size; e += 11)
            change(bytes, data + e);
        tl_snapshot_seal(bytes, length, bytes);
    }
    const tl_world_options one = {.threads = 1};
    tl_world *world;
    tl_error error = {0};
    const tl_status status = tl_world_load(good.scene, &one, spill(bytes, length), &world, &error);
    require(status == TL_OK || (error.what[0] && !world));
    require(status == TL_OK || size > 1 || !(data[0] & 1)); /* nothing was changed */
    if (status != TL_OK)
        return 0;
    error = (tl_error){0};
    require(tl_world_step(world, NULL, &error) == TL_OK || error.what[0]);
    tl_world_destroy(world);
    return 0;
}
