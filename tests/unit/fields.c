/* The field table moves, grows and hashes every field alike. */
#include "particles/fields.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static const tl_field_desc position = {"position", TL_F64, 3, "m", "Place", TL_FIELD_SAVED};
static const tl_field_desc mark = {"mark", TL_U8, 1, "", "A byte", TL_FIELD_SAVED};
static const tl_field_desc derived = {"derived", TL_F32, 6, "", "Not saved", 0};

static tl_fields make(size_t count) {
    tl_fields fields = {0};
    cr_assert_eq(tl_fields_declare(&fields, &position), 0);
    cr_assert_eq(tl_fields_declare(&fields, &mark), 1);
    cr_assert_eq(tl_fields_declare(&fields, &derived), 2);
    cr_assert_eq(tl_fields_resize(&fields, count, NULL), TL_OK);
    double *x = tl_field_data(&fields, 0);
    unsigned char *m = tl_field_data(&fields, 1);
    for (size_t i = 0; i < count; i++) {
        m[i] = (unsigned char)i;
        for (int k = 0; k < 3; k++)
            x[3 * i + (size_t)k] = (double)i + 0.1 * k;
    }
    return fields;
}

Test(fields, declaring_twice_gives_the_same_handle) {
    tl_fields fields = make(4);
    cr_assert_eq(tl_fields_declare(&fields, &mark), 1);
    cr_assert_eq(tl_fields_find(&fields, "mark"), 1);
    cr_assert_eq(tl_fields_find(&fields, "nothing"), -1);
    tl_fields_free(&fields);
}

Test(fields, growing_keeps_what_was_there_and_zeroes_the_rest) {
    tl_fields fields = make(10);
    cr_assert_eq(tl_fields_resize(&fields, 5, NULL), TL_OK);
    cr_assert_eq(tl_fields_resize(&fields, 1000, NULL), TL_OK);
    const double *x = tl_field_data(&fields, 0);
    cr_assert_eq(x[3 * 4 + 1], 4.1);
    for (size_t i = 15; i < 3000; i++)
        cr_assert_eq(x[i], 0);
    tl_fields_free(&fields);
}

/* Wide fields are large arrays, which grow by less, sooner than narrow ones. */
Test(fields, wide_and_narrow_ones_all_have_room_however_they_grow) {
    tl_fields fields = make(50000);
    for (size_t count = 50001; count < 80000; count += 1000) {
        cr_assert_eq(tl_fields_resize(&fields, count, NULL), TL_OK);
        for (int f = 0; f < 3; f++)
            cr_assert_geq(tl_array_capacity(tl_field_data(&fields, f)), count);
    }
    cr_assert_eq(tl_fields_bytes(&fields),
                 TL_ARRAYS_BYTES(fields.field[0].data, fields.field[1].data, fields.field[2].data));
    tl_fields_free(&fields);
}

Test(fields, reorder_moves_every_field_together_for_any_number_of_threads) {
    enum { N = 50000 };
    uint32_t *order = malloc(N * sizeof *order);
    for (uint32_t i = 0; i < N; i++)
        order[i] = (i * 7919u + 13u) % N;
    uint64_t hash[3];
    for (int t = 0; t < 3; t++) {
        tl_fields fields = make(N);
        const tl_parallel parallel = tl_parallel_adverse(t + 1);
        void *scratch = malloc(tl_fields_scratch_bytes(&fields));
        tl_fields_reorder(&fields, &parallel, order, scratch);
        free(scratch);
        const double *x = tl_field_data(&fields, 0);
        const unsigned char *m = tl_field_data(&fields, 1);
        for (size_t i = 0; i < N; i++) {
            cr_assert_eq(x[3 * i], (double)order[i]);
            cr_assert_eq(m[i], (unsigned char)order[i]);
        }
        hash[t] = tl_fields_hash(&fields, 0);
        tl_fields_free(&fields);
    }
    cr_assert_eq(hash[0], hash[1]);
    cr_assert_eq(hash[0], hash[2]);
    free(order);
}

Test(fields, compact_keeps_survivors_in_order) {
    tl_fields fields = make(9);
    const unsigned char keep[9] = {0, 1, 1, 0, 0, 1, 0, 1, 0};
    tl_fields_compact(&fields, keep);
    const unsigned char *m = tl_field_data(&fields, 1);
    cr_assert_eq(fields.count, 4);
    cr_assert(m[0] == 1 && m[1] == 2 && m[2] == 5 && m[3] == 7);
    tl_fields_free(&fields);
}

Test(fields, hash_sees_saved_fields_only) {
    tl_fields fields = make(100);
    const uint64_t before = tl_fields_hash(&fields, 0);
    ((float *)tl_field_data(&fields, 2))[17] = 1;
    cr_assert_eq(tl_fields_hash(&fields, 0), before);
    ((unsigned char *)tl_field_data(&fields, 1))[99] ^= 1;
    cr_assert_neq(tl_fields_hash(&fields, 0), before);
    tl_fields_free(&fields);
}

Test(fields, too_many_particles_are_refused) {
    tl_fields fields = make(1);
    tl_error error;
    cr_assert_eq(tl_fields_resize(&fields, (size_t)UINT32_MAX, &error), TL_BAD_INPUT);
    tl_fields_free(&fields);
}
