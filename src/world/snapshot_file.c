/* See snapshot_file.h. The file is built in memory (HDF5's core driver) and written by us: on a
 * full disk HDF5 leaves files that it can neither finish nor close. It is read in place, after the
 * seal has been checked. Debian's HDF5 is not thread-safe, so that one lock guards it for all
 * worlds. */
#include "world/snapshot_file.h"

#include "base/file.h"
#include "base/hash.h"

#include <errno.h>
#include <hdf5.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { FORMAT_VERSION = 1, SEAL = TL_SNAPSHOT_SEAL, CHUNK = 1 << 20 };

static const char format_name[] = "tallow snapshot";
static const char group_name[] = "particles";

/* ---- HDF5, one thread at a time and without its printing ---- */

static pthread_mutex_t hdf5_lock = PTHREAD_MUTEX_INITIALIZER;

typedef struct quiet {
    H5E_auto2_t print;
    void *context;
} quiet;

static quiet enter_hdf5(void) {
    quiet before;
    pthread_mutex_lock(&hdf5_lock);
    H5Eget_auto2(H5E_DEFAULT, &before.print, &before.context);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    return before;
}

static void leave_hdf5(quiet before) {
    H5Eset_auto2(H5E_DEFAULT, before.print, before.context);
    pthread_mutex_unlock(&hdf5_lock);
}

/* Handles are closed in one place; a negative one was never opened. */
static void close_handle(hid_t handle) {
    if (handle >= 0)
        H5Idec_ref(handle);
}

static hid_t stored_type(tl_type type) {
    switch (type) {
    case TL_F32: return H5T_IEEE_F32LE;
    case TL_F64: return H5T_IEEE_F64LE;
    case TL_U8: return H5T_STD_U8LE;
    case TL_U32: return H5T_STD_U32LE;
    case TL_U64: return H5T_STD_U64LE;
    }
    return H5I_INVALID_HID;
}

static const char *type_word(tl_type type) {
    static const char *const words[] = {"float32", "float64", "uint8", "uint32", "uint64"};
    return words[type];
}

static bool is_saved(const tl_field *field) { return field->desc->flags & TL_FIELD_SAVED; }

/* ---- The seal ---- */

/* The user block of a file whose other `size` bytes have this hash. */
static void make_seal(char seal[SEAL], uint64_t size, uint64_t hash) {
    memset(seal, 0, SEAL);
    snprintf(seal, SEAL, "Tallow snapshot %d\nsize %" PRIu64 "\nhash %016" PRIx64 "\n",
             FORMAT_VERSION, size, hash);
}

static uint64_t hash_image(const char *bytes, size_t size) {
    uint64_t hash = 0;
    for (size_t at = 0; at < size; at += CHUNK)
        hash = tl_hash(hash, bytes + at, size - at < CHUNK ? size - at : CHUNK);
    return hash;
}

/* Adds the hash and the number of the bytes that are left in the stream. */
static tl_status hash_stream(FILE *stream, const char *path, uint64_t *size, uint64_t *hash,
                             tl_error *error) {
    char *chunk = malloc(CHUNK);
    if (!chunk)
        return tl_fail_memory(error, CHUNK, 1);
    for (size_t got; (got = fread(chunk, 1, CHUNK, stream)) > 0; *size += got)
        *hash = tl_hash(*hash, chunk, got);
    free(chunk);
    return ferror(stream) ? tl_fail_errno(error, path, "read") : TL_OK;
}

static tl_status check_stream(FILE *stream, const char *path, tl_error *error) {
    const char *fix = "go on from an older snapshot";
    char seal[SEAL + 1] = {0}, expected[SEAL];
    uint64_t size = 0, hash = 0, stated = 0;
    int version = 0;
    if (fread(seal, 1, SEAL, stream) != SEAL || sscanf(seal, "Tallow snapshot %9d", &version) != 1)
        return tl_fail(error, TL_BAD_INPUT, path, "name a snapshot that Tallow wrote",
                       "this is not a snapshot of Tallow");
    if (version > FORMAT_VERSION)
        return tl_fail(error, TL_BAD_INPUT, path, "use the Tallow that wrote it",
                       "the snapshot has format %d, and this Tallow reads up to %d", version,
                       FORMAT_VERSION);
    TL_TRY(hash_stream(stream, path, &size, &hash, error));
    if (sscanf(seal, "Tallow snapshot %*9d\nsize %19" SCNu64, &stated) == 1 && size < stated)
        return tl_fail(error, TL_BAD_INPUT, path, fix,
                       "the snapshot is cut short: %" PRIu64 " bytes of %" PRIu64, size, stated);
    make_seal(expected, size, hash);
    if (memcmp(seal, expected, SEAL) != 0)
        return tl_fail(error, TL_BAD_INPUT, path, fix,
                       "the snapshot is damaged: its hash is not the one it was written with");
    return TL_OK;
}

static tl_status check_seal(const char *path, tl_error *error) {
    FILE *stream = fopen(path, "rb");
    if (!stream)
        return tl_fail_errno(error, path, "read");
    const tl_status status = check_stream(stream, path, error);
    fclose(stream);
    return status;
}

/* ---- Writing ---- */

static bool write_attribute(hid_t object, const char *name, hid_t type, const void *value) {
    const hid_t space = H5Screate(H5S_SCALAR);
    const hid_t attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    const bool good = attribute >= 0 && H5Awrite(attribute, type, value) >= 0;
    close_handle(attribute);
    close_handle(space);
    return good;
}

static bool write_text(hid_t object, const char *name, const char *text) {
    const hid_t type = H5Tcopy(H5T_C_S1);
    const bool good = type >= 0 && H5Tset_size(type, strlen(text) + 1) >= 0 &&
                      H5Tset_cset(type, H5T_CSET_UTF8) >= 0 &&
                      write_attribute(object, name, type, text);
    close_handle(type);
    return good;
}

static bool write_values(hid_t file, uint64_t particles, const tl_snapshot_value *values,
                         size_t value_count) {
    const uint64_t version = FORMAT_VERSION;
    bool good = write_text(file, "format", format_name) &&
                write_attribute(file, "format_version", H5T_STD_U64LE, &version) &&
                write_text(file, "tallow_version", TL_VERSION) &&
                write_attribute(file, "particles", H5T_STD_U64LE, &particles);
    for (size_t v = 0; good && v < value_count; v++)
        good = write_attribute(file, values[v].name, stored_type(values[v].type), &values[v].u64);
    return good;
}

/* The shape of a field: [count], or [count, components]. Returns the rank. */
static int field_shape(const tl_field_desc *desc, size_t count, hsize_t shape[2]) {
    shape[0] = count;
    shape[1] = (hsize_t)desc->components;
    return desc->components == 1 ? 1 : 2;
}

static bool write_field(hid_t group, const tl_field *field, size_t count) {
    const tl_field_desc *desc = field->desc;
    hsize_t shape[2];
    const hid_t type = stored_type(desc->type);
    const hid_t space = H5Screate_simple(field_shape(desc, count, shape), shape, NULL);
    const hid_t plan = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_obj_track_times(plan, false);
    H5Pset_fill_time(plan, H5D_FILL_TIME_NEVER);
    const hid_t dataset =
        H5Dcreate2(group, desc->name, type, space, H5P_DEFAULT, plan, H5P_DEFAULT);
    const bool good =
        dataset >= 0 && write_text(dataset, "unit", desc->unit) &&
        write_text(dataset, "doc", desc->doc) &&
        (count == 0 || H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, field->data) >= 0);
    close_handle(dataset);
    close_handle(plan);
    close_handle(space);
    return good;
}

static bool write_fields(hid_t file, const tl_fields *fields) {
    const hid_t plan = H5Pcreate(H5P_GROUP_CREATE);
    H5Pset_obj_track_times(plan, false);
    const hid_t group = H5Gcreate2(file, group_name, H5P_DEFAULT, plan, H5P_DEFAULT);
    bool good = group >= 0;
    for (size_t f = 0; good && f < fields->field_count; f++)
        if (is_saved(&fields->field[f]))
            good = write_field(group, &fields->field[f], fields->count);
    close_handle(group);
    close_handle(plan);
    return good;
}

/* An empty file in memory. HDF5 would first load a file of that name, so that the name is one that
 * cannot exist. Growth by single bytes makes the image exactly as large as the file. */
static hid_t create_image(void) {
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS), plan = H5Pcreate(H5P_FILE_CREATE);
    hid_t file = H5I_INVALID_HID;
    if (H5Pset_fapl_core(access, 1, false) >= 0 && H5Pset_userblock(plan, SEAL) >= 0)
        file = H5Fcreate("/dev/null/snapshot", H5F_ACC_TRUNC, plan, access);
    close_handle(plan);
    close_handle(access);
    return file;
}

/* Where the core driver keeps the file, user block included. Asking for the address spares the copy
 * that H5Fget_file_image makes. */
static bool find_image(hid_t file, const char **bytes, size_t *size) {
    void **memory = NULL;
    hsize_t length;
    if (H5Fget_filesize(file, &length) < 0 || length <= SEAL ||
        H5Fget_vfd_handle(file, H5P_DEFAULT, (void **)&memory) < 0 || !*memory)
        return false;
    *bytes = *memory;
    *size = (size_t)length;
    return true;
}

void tl_snapshot_seal(const char *bytes, size_t size, char seal[TL_SNAPSHOT_SEAL]) {
    make_seal(seal, size - SEAL, hash_image(bytes + SEAL, size - SEAL));
}

static tl_status write_image(const char *path, const char *bytes, size_t size, tl_error *error) {
    char seal[SEAL];
    tl_snapshot_seal(bytes, size, seal);
    tl_file file;
    TL_TRY(tl_file_begin(&file, path, error));
    if (fwrite(seal, 1, SEAL, file.stream) == SEAL &&
        fwrite(bytes + SEAL, 1, size - SEAL, file.stream) == size - SEAL)
        return tl_file_commit(&file, error);
    tl_fail_errno(error, path, "write");
    tl_file_discard(&file);
    return TL_IO_FAILED;
}

tl_status tl_snapshot_write(const char *path, const tl_fields *fields,
                            const tl_snapshot_value *values, size_t value_count, tl_error *error) {
    const char *bytes;
    size_t size;
    tl_status status;
    const quiet before = enter_hdf5();
    const hid_t file = create_image();
    if (file >= 0 && write_values(file, fields->count, values, value_count) &&
        write_fields(file, fields) && H5Fflush(file, H5F_SCOPE_LOCAL) >= 0 &&
        find_image(file, &bytes, &size))
        status = write_image(path, bytes, size, error);
    else
        status = tl_fail(error, TL_NO_MEMORY, path, "free some memory, or write no snapshots",
                         "HDF5 cannot build a snapshot of %zu particles in memory", fields->count);
    if (file >= 0)
        H5Fclose(file);
    leave_hdf5(before);
    return status;
}

/* ---- Reading ---- */

/* A scalar attribute of exactly this type. */
static tl_status read_attribute(hid_t file, const char *path, const char *name, tl_type type,
                                void *out, tl_error *error) {
    const hid_t attribute =
        H5Aexists(file, name) > 0 ? H5Aopen(file, name, H5P_DEFAULT) : H5I_INVALID_HID;
    if (attribute < 0)
        return tl_fail(error, TL_BAD_INPUT, path, "use a snapshot of the same version of Tallow",
                       "the snapshot has no value \"%s\"", name);
    const hid_t space = H5Aget_space(attribute), stored = H5Aget_type(attribute);
    const bool good = space >= 0 && stored >= 0 && H5Sget_simple_extent_ndims(space) == 0 &&
                      H5Tequal(stored, stored_type(type)) > 0 &&
                      H5Aread(attribute, stored, out) >= 0;
    close_handle(stored);
    close_handle(space);
    close_handle(attribute);
    return good ? TL_OK
                : tl_fail(error, TL_BAD_INPUT, path, NULL, "value \"%s\" is not a %s", name,
                          type_word(type));
}

static tl_status read_values(hid_t file, const char *path, tl_snapshot_value *values,
                             size_t value_count, tl_error *error) {
    for (size_t v = 0; v < value_count; v++)
        TL_TRY(read_attribute(file, path, values[v].name, values[v].type, &values[v].u64, error));
    return TL_OK;
}

/* What is wrong with the dataset of a field, or NULL. */
static const char *find_misfit(hid_t dataset, const tl_field_desc *desc, size_t count) {
    hsize_t wanted[2], shape[H5S_MAX_RANK];
    const int rank = field_shape(desc, count, wanted);
    const hid_t type = H5Dget_type(dataset), space = H5Dget_space(dataset);
    const char *misfit = NULL;
    if (type < 0 || H5Tequal(type, stored_type(desc->type)) <= 0)
        misfit = "type";
    else if (space < 0 || H5Sget_simple_extent_ndims(space) != rank ||
             H5Sget_simple_extent_dims(space, shape, NULL) != rank || shape[0] != wanted[0] ||
             (rank == 2 && shape[1] != wanted[1]))
        misfit = "shape";
    close_handle(space);
    close_handle(type);
    return misfit;
}

static hid_t open_field(hid_t group, const tl_field_desc *desc) {
    return H5Lexists(group, desc->name, H5P_DEFAULT) > 0 ? H5Dopen2(group, desc->name, H5P_DEFAULT)
                                                         : H5I_INVALID_HID;
}

/* Before there is memory for it: a field of the right shape, all of it in the file. */
static tl_status check_field(hid_t group, const char *path, const tl_field_desc *desc, size_t count,
                             tl_error *error) {
    const char *fix = "resume the scene that the snapshot is of";
    const hid_t dataset = open_field(group, desc);
    if (dataset < 0)
        return tl_fail(error, TL_BAD_INPUT, path, fix, "the snapshot has no field \"%s\"",
                       desc->name);
    const char *misfit = find_misfit(dataset, desc, count);
    const hsize_t stored = H5Dget_storage_size(dataset);
    close_handle(dataset);
    if (misfit)
        return tl_fail(error, TL_BAD_INPUT, path, fix,
                       "field \"%s\" has the wrong %s: it should be %zu x %d of %s", desc->name,
                       misfit, count, desc->components, type_word(desc->type));
    if (stored / tl_type_size(desc->type) / (size_t)desc->components < count)
        return tl_fail(error, TL_BAD_INPUT, path, "go on from an older snapshot",
                       "field \"%s\" is not whole", desc->name);
    return TL_OK;
}

static tl_status read_field(hid_t group, const char *path, const tl_field *field, size_t count,
                            tl_error *error) {
    const tl_field_desc *desc = field->desc;
    const hid_t dataset = open_field(group, desc);
    const bool good = count == 0 || H5Dread(dataset, stored_type(desc->type), H5S_ALL, H5S_ALL,
                                            H5P_DEFAULT, field->data) >= 0;
    close_handle(dataset);
    return good ? TL_OK
                : tl_fail(error, TL_IO_FAILED, path, "go on from an older snapshot",
                          "field \"%s\" cannot be read", desc->name);
}

/* A field that the table lacks would be lost, and the run would not go on as it was. */
static tl_status refuse_strangers(hid_t group, const char *path, const tl_fields *fields,
                                  tl_error *error) {
    H5G_info_t facts;
    if (H5Gget_info(group, &facts) < 0)
        return tl_fail(error, TL_BAD_INPUT, path, NULL, "the group of the fields is unreadable");
    for (hsize_t i = 0; i < facts.nlinks; i++) {
        char name[256] = "";
        H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, i, name, sizeof name,
                           H5P_DEFAULT);
        const int handle = tl_fields_find(fields, name);
        if (handle < 0 || !is_saved(&fields->field[handle]))
            return tl_fail(error, TL_BAD_INPUT, path, "resume the scene that the snapshot is of",
                           "the snapshot has a field \"%s\" that this world does not have", name);
    }
    return TL_OK;
}

static tl_status read_group(hid_t group, const char *path, tl_fields *fields, size_t count,
                            tl_error *error) {
    TL_TRY(refuse_strangers(group, path, fields, error));
    for (size_t f = 0; f < fields->field_count; f++)
        if (is_saved(&fields->field[f]))
            TL_TRY(check_field(group, path, fields->field[f].desc, count, error));
    TL_TRY(tl_fields_resize(fields, count, error));
    for (size_t f = 0; f < fields->field_count; f++)
        if (is_saved(&fields->field[f]))
            TL_TRY(read_field(group, path, &fields->field[f], count, error));
    return TL_OK;
}

static tl_status read_fields(hid_t file, const char *path, tl_fields *fields, tl_error *error) {
    uint64_t count;
    TL_TRY(read_attribute(file, path, "particles", TL_U64, &count, error));
    const hid_t group = H5Gopen2(file, group_name, H5P_DEFAULT);
    if (group < 0)
        return tl_fail(error, TL_BAD_INPUT, path, NULL, "the snapshot has no group \"%s\"",
                       group_name);
    const tl_status status = read_group(group, path, fields, count, error);
    close_handle(group);
    return status;
}

static hid_t open_file(const char *path) {
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
#if H5_VERSION_GE(1, 10, 7)
    H5Pset_file_locking(access, false, true); /* many network disks have no locks */
#endif
    const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, access);
    close_handle(access);
    return file;
}

/* `fields` may be NULL. */
static tl_status read_file(const char *path, tl_fields *fields, tl_snapshot_value *values,
                           size_t value_count, tl_error *error) {
    TL_TRY(check_seal(path, error));
    tl_status status;
    const quiet before = enter_hdf5();
    const hid_t file = open_file(path);
    if (file < 0)
        status = tl_fail(error, TL_BAD_INPUT, path, "go on from an older snapshot",
                         "HDF5 cannot open the snapshot");
    else {
        status = read_values(file, path, values, value_count, error);
        if (status == TL_OK && fields)
            status = read_fields(file, path, fields, error);
        H5Fclose(file);
    }
    leave_hdf5(before);
    return status;
}

tl_status tl_snapshot_read(const char *path, tl_fields *fields, tl_snapshot_value *values,
                           size_t value_count, tl_error *error) {
    return read_file(path, fields, values, value_count, error);
}

tl_status tl_snapshot_read_values(const char *path, tl_snapshot_value *values, size_t value_count,
                                  tl_error *error) {
    return read_file(path, NULL, values, value_count, error);
}
