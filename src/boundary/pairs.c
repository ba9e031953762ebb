/* See pairs.h. */
#include "boundary/pairs.h"

#include "boundary/mirrors.h"
#include "boundary/rigid_links.h"
#include "flow/border.h"

/* Pairs with images know of no border of viscosities, of one size, and of no ties; and rigid bodies
 * and what is held have no images. */
static bool has_images(const tl_solver *solver, const tl_pairs_plan *p) {
    const tl_strain *s = &solver->strain;
    return p->mirrors && !s->ties && !s->graded && !s->holds && solver->modes.count == 0 &&
           !(p->viscosity && tl_border_is_there(s, p->viscosity));
}

tl_status tl_pairs_make(tl_solver *solver, const tl_pairs_plan *p, tl_error *error) {
    tl_strain *s = &solver->strain;
    TL_TRY(
        tl_strain_begin(s, p->parallel, p->records, p->list, p->ties, p->kernel, p->sizes, error));
    if (p->held)
        tl_strain_hold(s, p->held);
    tl_modes_hold(&solver->modes, s);
    tl_mirrors_choose(&s->mirrors, has_images(solver, p) ? p->walls : NULL, p->origin);
    TL_TRY(tl_mirrors_make(s, p->list, error));
    const tl_thin_matter thin = {p->viscosity, p->thin};
    const tl_thin_matter *known = p->viscosity ? &thin : NULL;
    const tl_held_matter held = {p->material, p->materials};
    TL_TRY(tl_links_make(s, p->list, p->walls, p->samples, p->pulling, known, held, p->origin,
                         p->spacing, error));
    TL_TRY(tl_rigid_links_make(s, &solver->modes, p->list, p->bodies, known, p->origin, error));
    const tl_strain_matter matter = {p->viscosity, p->material, p->materials, p->dt};
    TL_TRY(tl_strain_make(s, p->list, p->viscosity ? &matter : NULL, error));
    return tl_solver_begin(solver, error);
}
