/* A snapshot gives the state back to the last bit, or says why it cannot. */
#include "base/random.h"
#include "sample_fields.h"
#include "scratch_folder.h"
#include "world/snapshot_file.h"

#include <hdf5.h>
#include <pthread.h>

TestSuite(snapshot, .init = scratch_make, .fini = scratch_remove);

static void write_sample(const char *path, size_t count) {
    const tl_snapshot_value values[] = {{"time", TL_F64, {.f64 = 0.1}},
                                        {"step", TL_U64, {.u64 = UINT64_MAX}}};
    tl_fields fields = sample_fields(count);
    tl_error error;
    cr_assert_eq(tl_snapshot_write(path, &fields, values, 2, &error), TL_OK, "%s", error.what);
    tl_fields_free(&fields);
}

static tl_status read_sample(const char *path, tl_error *error) {
    tl_fields fields = sample_fields(2);
    tl_snapshot_value values[] = {{"time", TL_F64, {0}}};
    const tl_status status = tl_snapshot_read(path, &fields, values, 1, error);
    tl_fields_free(&fields);
    return status;
}

Test(snapshot, gives_back_every_bit) {
    const size_t counts[] = {0, 1, 7, 30000};
    const uint64_t payload = 0x7ff4dead0000beef; /* a signalling NaN */
    for (int c = 0; c < 4; c++) {
        tl_fields written = sample_fields(counts[c]), found = sample_fields(3);
        if (counts[c])
            memcpy(tl_field_data(&written, 1), &payload, sizeof payload);
        const tl_snapshot_value in[] = {{"nan", TL_F64, {.u64 = payload}},
                                        {"zero", TL_F64, {.f64 = -0.0}},
                                        {"step", TL_U64, {.u64 = UINT64_MAX - 1}}};
        tl_snapshot_value out[] = {
            {"step", TL_U64, {0}}, {"nan", TL_F64, {0}}, {"zero", TL_F64, {0}}};
        tl_error error;
        cr_assert_eq(tl_snapshot_write(in_scratch("s.h5"), &written, in, 3, &error), TL_OK);
        cr_assert_eq(tl_snapshot_read(in_scratch("s.h5"), &found, out, 3, &error), TL_OK, "%s",
                     error.what);
        cr_assert_eq(found.count, counts[c]);
        cr_assert_eq(tl_fields_hash(&found, 0), tl_fields_hash(&written, 0));
        cr_assert(out[0].u64 == in[2].u64 && out[1].u64 == payload && out[2].u64 == in[1].u64);
        tl_fields_free(&written);
        tl_fields_free(&found);
    }
    cr_assert_eq(scratch_files(false), 1);
}

Test(snapshot, equal_states_give_equal_files) {
    size_t a_size, b_size;
    write_sample(in_scratch("a.h5"), 50);
    sleep(1); /* past the clock's second, which HDF5 would store by default */
    write_sample(in_scratch("b.h5"), 50);
    char *a = slurp(in_scratch("a.h5"), &a_size), *b = slurp(in_scratch("b.h5"), &b_size);
    cr_assert(a_size == b_size && memcmp(a, b, a_size) == 0);
    free(a);
    free(b);
}

Test(snapshot, values_can_be_read_alone) {
    tl_snapshot_value values[] = {{"time", TL_F64, {0}}, {"particles", TL_U64, {0}}};
    write_sample(in_scratch("s.h5"), 50);
    cr_assert_eq(tl_snapshot_read_values(in_scratch("s.h5"), values, 2, NULL), TL_OK);
    cr_assert(values[0].f64 == 0.1 && values[1].u64 == 50);
}

Test(snapshot, cut_short_anywhere_is_refused) {
    size_t size;
    write_sample(in_scratch("s.h5"), 10);
    char *bytes = slurp(in_scratch("s.h5"), &size);
    for (size_t length = 0; length < size; length += 1 + length / 64) {
        tl_error error = {0};
        spill(in_scratch("cut.h5"), bytes, length);
        cr_assert_eq(read_sample(in_scratch("cut.h5"), &error), TL_BAD_INPUT, "%zu", length);
        cr_assert(strstr(error.where, "cut.h5") &&
                  strstr(error.what, length < 512 ? "not a snapshot" : "cut short"));
    }
    free(bytes);
}

Test(snapshot, any_flipped_bit_is_refused) {
    size_t size;
    write_sample(in_scratch("s.h5"), 10);
    char *bytes = slurp(in_scratch("s.h5"), &size);
    cr_assert_eq(read_sample(in_scratch("s.h5"), NULL), TL_OK);
    for (uint64_t round = 0; round < 1000; round++) {
        const uint64_t bit = tl_random_bits(5, round) % (8 * size);
        tl_error error = {0};
        bytes[bit / 8] ^= (char)(1 << bit % 8);
        spill(in_scratch("hit.h5"), bytes, size);
        cr_assert_eq(read_sample(in_scratch("hit.h5"), &error), TL_BAD_INPUT, "bit %zu",
                     (size_t)bit);
        cr_assert(strstr(error.where, "hit.h5") && error.what[0]);
        bytes[bit / 8] ^= (char)(1 << bit % 8);
    }
    free(bytes);
}

Test(snapshot, files_of_others_are_told_from_snapshots) {
    tl_error error;
    char text[2000];
    memset(text, 'x', sizeof text);
    spill(in_scratch("x.h5"), text, sizeof text);
    cr_assert_eq(read_sample(in_scratch("x.h5"), &error), TL_BAD_INPUT);
    cr_assert(strstr(error.what, "not a snapshot"));
    cr_assert_eq(read_sample(in_scratch("missing.h5"), &error), TL_IO_FAILED);
    cr_assert(strstr(error.where, "missing.h5"));
}

Test(snapshot, a_newer_format_is_named) {
    size_t size;
    tl_error error;
    write_sample(in_scratch("s.h5"), 1);
    char *bytes = slurp(in_scratch("s.h5"), &size);
    memcpy(bytes, "Tallow snapshot 7", 17);
    spill(in_scratch("s.h5"), bytes, size);
    cr_assert_eq(read_sample(in_scratch("s.h5"), &error), TL_BAD_INPUT);
    cr_assert(strstr(error.what, "format 7"));
    free(bytes);
}

/* Writes a snapshot of `count` fields of `descs` and reads it with the sample's table. */
static tl_status read_other(const tl_field_desc *descs, size_t count, tl_error *error) {
    tl_fields other = {0};
    for (size_t f = 0; f < count; f++)
        cr_assert_geq(tl_fields_declare(&other, &descs[f]), 0);
    cr_assert_eq(tl_fields_resize(&other, 4, NULL), TL_OK);
    const tl_snapshot_value time = {"time", TL_F64, {0}};
    cr_assert_eq(tl_snapshot_write(in_scratch("o.h5"), &other, &time, 1, NULL), TL_OK);
    tl_fields_free(&other);
    return read_sample(in_scratch("o.h5"), error);
}

Test(snapshot, fields_that_do_not_fit_are_named) {
    tl_field_desc descs[SAMPLE_FIELDS + 1];
    tl_error error;
    memcpy(descs, sample_descs, sizeof sample_descs);
    cr_assert_eq(read_other(descs, SAMPLE_FIELDS, &error), TL_OK);

    descs[3].components = 5;
    cr_assert_eq(read_other(descs, SAMPLE_FIELDS, &error), TL_BAD_INPUT);
    cr_assert(strstr(error.what, "\"stress\" has the wrong shape"), "%s", error.what);
    descs[3].components = 1;
    cr_assert_eq(read_other(descs, SAMPLE_FIELDS, &error), TL_BAD_INPUT);
    cr_assert(strstr(error.what, "\"stress\" has the wrong shape"), "%s", error.what);
    descs[3] = sample_descs[3];

    descs[4].type = TL_F32;
    cr_assert_eq(read_other(descs, SAMPLE_FIELDS, &error), TL_BAD_INPUT);
    cr_assert(strstr(error.what, "\"temperature\" has the wrong type"), "%s", error.what);
    descs[4] = sample_descs[4];

    descs[6].flags = 0;
    cr_assert_eq(read_other(descs, SAMPLE_FIELDS, &error), TL_BAD_INPUT);
    cr_assert(strstr(error.what, "no field \"phase\""), "%s", error.what);
    descs[6] = sample_descs[6];

    descs[SAMPLE_FIELDS] = (tl_field_desc){"strain", TL_F32, 6, "", "", TL_FIELD_SAVED};
    cr_assert_eq(read_other(descs, SAMPLE_FIELDS + 1, &error), TL_BAD_INPUT);
    cr_assert(strstr(error.what, "\"strain\" that this world does not have"), "%s", error.what);
}

Test(snapshot, values_that_do_not_fit_are_named) {
    tl_error error;
    tl_snapshot_value missing = {"mood", TL_F64, {0}}, wrong = {"step", TL_F64, {0}};
    write_sample(in_scratch("s.h5"), 1);
    cr_assert_eq(tl_snapshot_read_values(in_scratch("s.h5"), &missing, 1, &error), TL_BAD_INPUT);
    cr_assert(strstr(error.what, "no value \"mood\""));
    cr_assert_eq(tl_snapshot_read_values(in_scratch("s.h5"), &wrong, 1, &error), TL_BAD_INPUT);
    cr_assert(strstr(error.what, "\"step\" is not a float64"));
}

Test(snapshot, a_full_disk_leaves_the_old_file_and_nothing_else) {
    tl_fields fields = sample_fields(5000);
    write_sample(in_scratch("s.h5"), 10);
    const rlim_t limits[] = {0, 100, 3000, 200000};
    for (int l = 0; l < 4; l++) {
        tl_error error = {0};
        limit_disk(limits[l]);
        const tl_status status = tl_snapshot_write(in_scratch("s.h5"), &fields, NULL, 0, &error);
        limit_disk(RLIM_INFINITY);
        cr_assert_eq(status, TL_IO_FAILED);
        cr_assert(strstr(error.what, "File too large"), "%s", error.what);
        cr_assert_eq(scratch_files(false), 1);
        cr_assert_eq(read_sample(in_scratch("s.h5"), NULL), TL_OK);
    }
    tl_fields_free(&fields);
}

Test(snapshot, hdf5_prints_for_its_other_users_as_before) {
    H5E_auto2_t before, after;
    void *context;
    H5Eget_auto2(H5E_DEFAULT, &before, &context);
    cr_assert_not_null(before);
    write_sample(in_scratch("s.h5"), 1);
    cr_assert_eq(read_sample(in_scratch("s.h5"), NULL), TL_OK);
    H5Eget_auto2(H5E_DEFAULT, &after, &context);
    cr_assert(before == after);
}

Test(snapshot, leaves_no_handle_open) {
    tl_error error;
    tl_snapshot_value missing = {"mood", TL_F64, {0}};
    write_sample(in_scratch("s.h5"), 4);
    cr_assert_eq(read_sample(in_scratch("s.h5"), &error), TL_OK);
    cr_assert_eq(tl_snapshot_read_values(in_scratch("s.h5"), &missing, 1, &error), TL_BAD_INPUT);
    cr_assert_eq(H5Fget_obj_count(H5F_OBJ_ALL, H5F_OBJ_ALL), 0);
}

static void *write_and_read(void *context) {
    const char *path = context;
    for (int i = 0; i < 8; i++) {
        write_sample(path, 100);
        cr_assert_eq(read_sample(path, NULL), TL_OK);
    }
    return NULL;
}

Test(snapshot, worlds_in_different_threads_do_not_disturb_one_another) {
    char paths[4][512];
    pthread_t threads[4];
    for (int t = 0; t < 4; t++) {
        snprintf(paths[t], sizeof paths[t], "%s/%d.h5", scratch, t);
        cr_assert_eq(pthread_create(&threads[t], NULL, write_and_read, paths[t]), 0);
    }
    for (int t = 0; t < 4; t++)
        pthread_join(threads[t], NULL);
    cr_assert_eq(scratch_files(false), 4);
}
