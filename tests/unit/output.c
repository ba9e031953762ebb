/* Frames survive the disk bit for bit, and nothing on the disk is trusted. */
#include "base/random.h"
#include "output/csv.h"
#include "output/ply.h"
#include "output/pvd.h"
#include "output/sink.h"
#include "output/vtp.h"
#include "output/vtp_format.h"
#include "sample_fields.h"
#include "scratch_folder.h"

#include <locale.h>

TestSuite(output, .init = scratch_make, .fini = scratch_remove);

static void write_sample(const char *path, size_t count, tl_doubles doubles) {
    tl_fields fields = sample_fields(count);
    tl_frame frame;
    tl_error error;
    tl_frame_of_fields(&fields, 0.3, 42, &frame);
    cr_assert_eq(tl_vtp_write(path, &frame, doubles, &error), TL_OK, "%s", error.what);
    tl_fields_free(&fields);
}

/* The same arrays with the same bits. */
static void assert_same_frame(const tl_frame *a, const tl_frame *b) {
    cr_assert_eq(memcmp(&a->time, &b->time, sizeof a->time), 0);
    cr_assert_eq(a->step, b->step);
    cr_assert_eq(a->count, b->count);
    cr_assert_eq(a->array_count, b->array_count);
    for (size_t i = 0; i < a->array_count; i++) {
        const tl_frame_array *x = &a->array[i], *y = &b->array[i];
        cr_assert_str_eq(x->name, y->name);
        cr_assert_str_eq(x->unit, y->unit);
        cr_assert_str_eq(x->doc, y->doc);
        cr_assert_eq(x->type, y->type);
        cr_assert_eq(x->components, y->components);
        const size_t bytes = a->count * (size_t)x->components * tl_type_size(x->type);
        cr_assert(bytes == 0 || memcmp(x->data, y->data, bytes) == 0, "%s differs", x->name);
    }
}

Test(output, a_frame_is_position_and_then_what_is_shown) {
    tl_fields fields = sample_fields(5);
    tl_frame frame;
    tl_frame_of_fields(&fields, 1.5, 7, &frame);
    cr_assert_str_eq(frame.array[0].name, "position");
    cr_assert_eq(frame.array_count, SAMPLE_FIELDS - 1);
    cr_assert_null(tl_frame_find(&frame, "hidden"));
    cr_assert_not_null(tl_frame_find(&frame, "derived"));
    cr_assert_eq(frame.array[0].data, tl_field_data(&fields, 1), "a view copies nothing");
    tl_fields_free(&fields);
}

Test(output, vtp_gives_back_every_bit) {
    const size_t counts[] = {0, 1, 2, 4097, 20000};
    for (int c = 0; c < 5; c++) {
        tl_fields fields = sample_fields(counts[c]);
        if (counts[c]) { /* a NaN with a payload, and the sign of zero */
            const uint64_t nan = 0x7ff8dead0000beef;
            memcpy(tl_field_data(&fields, 1), &nan, sizeof nan);
            ((float *)tl_field_data(&fields, 2))[0] = -0.0f;
        }
        tl_frame written, found;
        tl_error error;
        tl_frame_of_fields(&fields, 1.0 / 3, UINT64_MAX, &written);
        cr_assert_eq(tl_vtp_write(in_scratch("f.vtp"), &written, TL_DOUBLES_KEPT, &error), TL_OK);
        cr_assert_eq(tl_vtp_read(in_scratch("f.vtp"), &found, &error), TL_OK, "%s", error.what);
        assert_same_frame(&written, &found);
        tl_frame_free(&found);
        tl_fields_free(&fields);
    }
    cr_assert_eq(scratch_files(false), 1);
}

Test(output, vtp_stores_doubles_as_the_nearest_floats_unless_told) {
    enum { N = 3000 };
    tl_frame found;
    write_sample(in_scratch("f.vtp"), N, TL_DOUBLES_AS_FLOATS);
    cr_assert_eq(tl_vtp_read(in_scratch("f.vtp"), &found, NULL), TL_OK);
    const tl_frame_array *temperature = tl_frame_find(&found, "temperature");
    cr_assert_eq(found.array[0].type, TL_F32);
    cr_assert_eq(temperature->type, TL_F32);
    for (size_t i = 0; i < N; i++)
        cr_assert_eq(((const float *)temperature->data)[i], (float)sample_value(4, i));
    tl_frame_free(&found);
}

Test(output, vtp_cut_short_anywhere_is_refused) {
    size_t size;
    write_sample(in_scratch("f.vtp"), 3, TL_DOUBLES_KEPT);
    char *bytes = slurp(in_scratch("f.vtp"), &size);
    for (size_t length = 0; length < size; length++) {
        tl_frame frame;
        tl_error error = {0};
        char *piece = malloc(length + 1); /* of its own, so that a read past the end is seen */
        memcpy(piece, bytes, length);
        cr_assert_eq(tl_vtp_read_memory(piece, length, "piece", &frame, &error), TL_BAD_INPUT);
        cr_assert_str_eq(error.where, "piece");
        cr_assert(error.what[0] && frame.array_count == 0);
        free(piece);
    }
    free(bytes);
}

Test(output, vtp_with_any_flipped_bit_is_refused) {
    size_t size;
    write_sample(in_scratch("f.vtp"), 3, TL_DOUBLES_AS_FLOATS);
    char *bytes = slurp(in_scratch("f.vtp"), &size);
    for (size_t bit = 0; bit < 8 * size; bit++) {
        tl_frame frame;
        bytes[bit / 8] ^= (char)(1 << bit % 8);
        cr_assert_eq(tl_vtp_read_memory(bytes, size, "f", &frame, NULL), TL_BAD_INPUT, "bit %zu",
                     bit);
        bytes[bit / 8] ^= (char)(1 << bit % 8);
    }
    free(bytes);
}

/* Makes the seal right again, so that damage reaches what stands behind it. */
static void seal(char *bytes, size_t size) {
    char text[TL_VTP_SEAL_SIZE + 1];
    const size_t sealed = size - TL_VTP_SEAL_SIZE;
    snprintf(text, sizeof text, TL_VTP_SEAL, tl_sink_hash_of(bytes, sealed));
    memcpy(bytes + sealed, text, TL_VTP_SEAL_SIZE);
}

/* Sums all bytes of a frame, so that arrays that reach too far are caught. */
static unsigned touch(const tl_frame *frame) {
    unsigned sum = 0;
    for (size_t a = 0; a < frame->array_count; a++) {
        const tl_frame_array *array = &frame->array[a];
        const size_t n = frame->count * (size_t)array->components * tl_type_size(array->type);
        for (size_t i = 0; i < n; i++)
            sum += ((const unsigned char *)array->data)[i];
    }
    return sum;
}

Test(output, vtp_sealed_over_damage_is_refused_or_read_as_a_sound_frame) {
    size_t size, refused = 0;
    write_sample(in_scratch("f.vtp"), 20, TL_DOUBLES_KEPT);
    char *bytes = slurp(in_scratch("f.vtp"), &size), *copy = malloc(size);
    for (uint64_t round = 0; round < 20000; round++) {
        memcpy(copy, bytes, size);
        const uint64_t hits = 1 + tl_random_bits(1, round) % 4;
        for (uint64_t h = 0; h < hits; h++) {
            const uint64_t r = tl_random_bits(2, 8 * round + h);
            const char digit = (char)('0' + r % 10);
            copy[(r >> 8) % (size - TL_VTP_SEAL_SIZE)] = r & 128 ? digit : (char)(r >> 48);
        }
        seal(copy, size);
        tl_frame frame;
        tl_error error = {0};
        if (tl_vtp_read_memory(copy, size, "copy", &frame, &error) == TL_OK) {
            touch(&frame);
            cr_assert_eq(tl_frame_check(&frame, "copy", NULL), TL_OK);
        } else {
            cr_assert(error.what[0] != 0);
            refused++;
        }
        tl_frame_free(&frame);
    }
    cr_assert_gt(refused, 1000);
    free(copy);
    free(bytes);
}

Test(output, vtp_that_claims_more_points_than_it_has_is_refused) {
    size_t size;
    write_sample(in_scratch("f.vtp"), 12, TL_DOUBLES_KEPT);
    char *bytes = slurp(in_scratch("f.vtp"), &size);
    char *claim = memmem(bytes, size, "NumberOfPoints=\"12\"", 19);
    cr_assert_not_null(claim);
    memcpy(claim, "NumberOfPoints=\"99\"", 19);
    seal(bytes, size);
    tl_frame frame;
    tl_error error;
    cr_assert_eq(tl_vtp_read_memory(bytes, size, "liar", &frame, &error), TL_BAD_INPUT);
    cr_assert(strstr(error.what, "end early"), "%s", error.what);
    /* The block of the positions, third after time and step, tells the same lie. */
    char *data = memmem(bytes, size, TL_VTP_APPENDED, sizeof TL_VTP_APPENDED - 1);
    const uint64_t claimed = 99 * 3 * sizeof(double);
    memcpy(data + sizeof TL_VTP_APPENDED - 1 + 32, &claimed, sizeof claimed);
    seal(bytes, size);
    cr_assert_eq(tl_vtp_read_memory(bytes, size, "liar", &frame, &error), TL_BAD_INPUT);
    cr_assert(strstr(error.what, "end early"), "%s", error.what);
    free(bytes);
}

Test(output, files_of_others_are_told_from_frames) {
    tl_frame frame;
    tl_error error;
    spill(in_scratch("other.vtp"), "<VTKFile type=\"ImageData\"/>", 27);
    cr_assert_eq(tl_vtp_read(in_scratch("other.vtp"), &frame, &error), TL_BAD_INPUT);
    cr_assert(strstr(error.what, "not a frame of Tallow") && strstr(error.where, "other.vtp"));
    cr_assert_eq(tl_vtp_read(in_scratch("missing.vtp"), &frame, &error), TL_IO_FAILED);
    cr_assert(strstr(error.where, "missing.vtp"));
}

Test(output, frames_that_make_no_sense_are_not_written) {
    const float x[3] = {0};
    tl_frame frame = {.count = 1, .array_count = 1};
    tl_error error;
    frame.array[0] = (tl_frame_array){"velocity", "m/s", "", TL_F32, 3, x};
    cr_assert_eq(tl_vtp_write(in_scratch("f.vtp"), &frame, TL_DOUBLES_KEPT, &error), TL_BAD_INPUT);
    frame.array[0].name = "position";
    frame.array[1] = frame.array[0];
    frame.array_count = 2;
    cr_assert_eq(tl_ply_write(in_scratch("f.ply"), &frame, TL_DOUBLES_KEPT, &error), TL_BAD_INPUT);
    cr_assert(strstr(error.what, "two arrays"));
    cr_assert_eq(scratch_files(false), 0);
}

typedef enum kind { VTP, PLY, CSV, KINDS } kind;

static tl_status write_kind(kind k, const char *path, const tl_frame *frame, tl_error *error) {
    return k == VTP   ? tl_vtp_write(path, frame, TL_DOUBLES_KEPT, error)
           : k == PLY ? tl_ply_write(path, frame, TL_DOUBLES_KEPT, error)
                      : tl_csv_write(path, frame, error);
}

Test(output, a_full_disk_leaves_the_old_file_and_nothing_else) {
    tl_fields small = sample_fields(1), large = sample_fields(5000);
    tl_frame before, after;
    tl_frame_of_fields(&small, 0, 0, &before);
    tl_frame_of_fields(&large, 0, 0, &after);
    for (kind k = 0; k < KINDS; k++) {
        tl_error error = {0};
        size_t size, size_after;
        cr_assert_eq(write_kind(k, in_scratch("f"), &before, &error), TL_OK);
        char *old = slurp(in_scratch("f"), &size);
        /* Full in the middle of the data, and full in the last buffer. */
        const rlim_t limits[] = {100000, 50};
        for (int l = 0; l < 2; l++) {
            limit_disk(limits[l]);
            const tl_status status =
                write_kind(k, in_scratch("f"), l == 0 ? &after : &before, &error);
            limit_disk(RLIM_INFINITY);
            cr_assert_eq(status, TL_IO_FAILED, "writer %d", (int)k);
            cr_assert(strstr(error.what, "File too large"), "%s", error.what);
            cr_assert_eq(scratch_files(false), 1, "leftovers of writer %d", (int)k);
        }
        char *kept = slurp(in_scratch("f"), &size_after);
        cr_assert(size == size_after && memcmp(old, kept, size) == 0);
        free(old);
        free(kept);
    }
    tl_fields_free(&small);
    tl_fields_free(&large);
}

Test(output, a_folder_that_is_not_there_is_named) {
    tl_fields fields = sample_fields(1);
    tl_frame frame;
    tl_frame_of_fields(&fields, 0, 0, &frame);
    for (kind k = 0; k < KINDS; k++) {
        tl_error error = {0};
        cr_assert_eq(write_kind(k, in_scratch("no/f"), &frame, &error), TL_IO_FAILED);
        cr_assert(strstr(error.where, "no/f") && error.what[0]);
    }
    tl_fields_free(&fields);
}

Test(output, csv_says_names_units_and_exact_numbers) {
    const double x[6] = {0.1, -1e-300, 1, (double)NAN, (double)INFINITY, 2};
    const float t[2] = {0.1f, 16777216.0f};
    tl_frame frame = {.count = 2, .array_count = 2};
    frame.array[0] = (tl_frame_array){"position", "m", "", TL_F64, 3, x};
    frame.array[1] = (tl_frame_array){"heat", "", "", TL_F32, 1, t};
    cr_assert_eq(tl_csv_write(in_scratch("f.csv"), &frame, NULL), TL_OK);
    size_t size;
    char *text = slurp(in_scratch("f.csv"), &size);
    cr_assert_str_eq(text, "position_x [m],position_y [m],position_z [m],heat\n"
                           "0.10000000000000001,-1e-300,1,0.100000001\n"
                           "nan,inf,2,16777216\n");
    free(text);
}

Test(output, numbers_have_a_point_in_every_locale) {
    const char *const words[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE", "fr_FR"};
    bool comma = false;
    for (int i = 0; i < 4 && !comma; i++)
        comma = setlocale(LC_ALL, words[i]) && localeconv()->decimal_point[0] == ',';
    if (!comma)
        SKIP("no locale with a decimal comma is installed");
    tl_pvd list = {0}, found = {0};
    size_t size;
    cr_assert_eq(tl_pvd_add(&list, 0.5, "a.vtp", NULL), TL_OK);
    cr_assert_eq(tl_pvd_write(in_scratch("f.pvd"), &list, NULL), TL_OK);
    char *text = slurp(in_scratch("f.pvd"), &size);
    cr_assert_not_null(strstr(text, "timestep=\"0.5\""));
    cr_assert_eq(tl_pvd_read(in_scratch("f.pvd"), &found, NULL), TL_OK);
    cr_assert_eq(found.entries[0].time, 0.5);
    cr_assert_eq(localeconv()->decimal_point[0], ',', "the caller's locale is back");
    free(text);
    tl_pvd_free(&list);
    tl_pvd_free(&found);
}

Test(output, pvd_gives_back_its_frames_and_forgets_those_to_be_redone) {
    tl_pvd list = {0}, found = {0};
    for (int i = 0; i < 60; i++) {
        char name[32];
        snprintf(name, sizeof name, "frames/%05d&<\".vtp", i);
        cr_assert_eq(tl_pvd_add(&list, i / 25.0, name, NULL), TL_OK);
        cr_assert_eq(tl_pvd_write(in_scratch("f.pvd"), &list, NULL), TL_OK);
    }
    cr_assert_eq(tl_pvd_read(in_scratch("f.pvd"), &found, NULL), TL_OK);
    cr_assert_eq(found.count, 60);
    for (size_t i = 0; i < 60; i++) {
        cr_assert_eq(found.entries[i].time, list.entries[i].time);
        cr_assert_str_eq(found.entries[i].file, list.entries[i].file);
    }
    tl_pvd_cut(&found, 20 / 25.0);
    cr_assert_eq(found.count, 21);
    tl_pvd_free(&list);
    tl_pvd_free(&found);
}

Test(output, pvd_that_is_damaged_is_refused_or_read_as_a_list) {
    tl_pvd list = {0};
    size_t size;
    for (int i = 0; i < 3; i++)
        cr_assert_eq(tl_pvd_add(&list, i * 0.25, "frames/00001.vtp", NULL), TL_OK);
    cr_assert_eq(tl_pvd_write(in_scratch("f.pvd"), &list, NULL), TL_OK);
    char *bytes = slurp(in_scratch("f.pvd"), &size);
    for (size_t length = 0; length < size - 1; length++) { /* all but the last line break */
        tl_pvd found = {0};
        tl_error error = {0};
        spill(in_scratch("cut.pvd"), bytes, length);
        cr_assert_eq(tl_pvd_read(in_scratch("cut.pvd"), &found, &error), TL_BAD_INPUT, "%zu",
                     length);
        cr_assert(found.count == 0 && strstr(error.where, "cut.pvd"));
    }
    size_t reads = 0;
    for (uint64_t round = 0; round < 1000; round++) {
        tl_pvd found = {0};
        const uint64_t r = tl_random_bits(3, round);
        const char kept = bytes[r % size];
        bytes[r % size] = (char)(r >> 32);
        spill(in_scratch("hit.pvd"), bytes, size);
        const bool read = tl_pvd_read(in_scratch("hit.pvd"), &found, NULL) == TL_OK;
        cr_assert_eq(found.count, read ? 3 : 0);
        reads += read;
        bytes[r % size] = kept;
        tl_pvd_free(&found);
    }
    cr_assert(reads > 100 && reads < 900, "%zu of 1000 are read", reads);
    free(bytes);
    tl_pvd_free(&list);
}
