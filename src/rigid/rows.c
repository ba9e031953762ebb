/* Lists of pairs: bodies meet walls and each other by contacts, not by their particles. Neither do
 * samples of walls see them: their push would be in the books twice. See rigid.h. */
#include "rigid/rigid.h"

typedef struct rows {
    tl_rigids *all;
    const tl_rigid_matter *matter;
    const tl_records *records;
    tl_neighbor_list *list;
    bool keeps_near;
} rows;

/* Keeps what particle i of body `own` feels: matter, and the body itself. A sample has no body.
 * What is of other bodies is kept as well, elsewhere. */
static tl_status cut_row(const rows *c, size_t i, uint32_t own, uint32_t *near, tl_error *error) {
    const tl_records *r = c->records;
    tl_rigids *all = c->all;
    tl_neighbor_list *list = c->list;
    uint32_t *row = list->index + list->begin[i], kept = 0;
    for (uint32_t k = 0; k < list->size[i]; k++) {
        const uint32_t j = row[k] < r->particles ? tl_rigid_owner(all, c->matter, row[k]) : 0;
        if (own && j && j != own && c->keeps_near) {
            TL_TRY(TL_ARRAY_RESERVE(all->near, *near, *near + 1, error));
            all->near[(*near)++] = row[k];
        } else if (tl_records_is_matter(r, row[k]) && (j == 0 || j == own)) {
            row[kept++] = row[k];
        }
    }
    for (size_t k = kept; k < tl_pad_lanes(list->size[i]); k++)
        row[k] = (uint32_t)tl_records_total(r);
    list->pair_count -= list->size[i] - kept;
    list->size[i] = kept;
    return TL_OK;
}

tl_status tl_rigids_cut_rows(tl_rigids *all, const tl_rigid_matter *m, const tl_records *r,
                             tl_neighbor_list *list, bool keeps_near, tl_error *error) {
    const rows c = {all, m, r, list, keeps_near};
    uint32_t near = 0;
    TL_TRY(TL_ARRAY_RESERVE(all->near_first, 0, r->particles + 1, error));
    for (size_t i = 0; i < tl_images_begin(r); i++) {
        const bool sample = i >= r->particles;
        const uint32_t own = sample ? 0 : tl_rigid_owner(all, m, i);
        if (!sample)
            all->near_first[i] = near;
        if (own || sample)
            TL_TRY(cut_row(&c, i, own, &near, error));
    }
    all->near_first[r->particles] = near;
    return TL_OK;
}
