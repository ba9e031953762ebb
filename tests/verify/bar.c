/* A bar of thick liquid that hangs from a slippery ceiling: it is stretched by its own weight, each
 * part at the rate ρ g s / 3η by the length s of what hangs below it (Trouton 1906). */
#include "build.h"

#include <criterion/criterion.h>
#include <criterion/logging.h>
#include <math.h>

static const double gravity = 9.81, length = 0.24;

/* How fast the bar sinks in the mean between two moments, over ρ g L² / 9η; less 1. */
static double sinking(tl_world *w, double from, double to, double viscosity) {
    run_to(w, from);
    const double before = mean_of(w, 2);
    run_to(w, to);
    const double speed = (before - mean_of(w, 2)) / (to - from);
    return speed / (1000 * gravity * length * length / (9 * viscosity)) - 1;
}

typedef struct hanging {
    double early, later; /* errors of the sinking in the first 0.1 s, and in the next */
} hanging;

static hanging hang(int across, double viscosity, double step) {
    const double width = 0.08, dx = width / across;
    setup s = setup_make(dx);
    setup_implicit(&s, step);
    s.material.viscosity.value = viscosity;
    s.def.gravity[2] = -gravity;
    setup_add_box(&s, 0, 0, 0, width, width, length);
    setup_add_plane(&s, TL_SIDE_MINUS_Z, length)->contact = TL_CONTACT_FREE_SLIP;
    tl_world *w = setup_world(&s, 1);
    hanging h = {.early = sinking(w, 0, 0.1, viscosity)};
    h.later = sinking(w, 0.1, 0.2, viscosity);
    cr_log_info("%d across, %g Pa·s, steps of %g s: %+.1f %%, then %+.1f %%", across, viscosity,
                step, 100 * h.early, 100 * h.later);
    tl_world_destroy(w);
    return h;
}

/* From rest, in steps that are long: nothing tells beforehand how the matter will hold. */
Test(bar, stretches_at_the_rate_of_trouton_from_the_first_steps_on) {
    const double viscosities[] = {1e4, 1e5, 1e7};
    for (int k = 0; k < 3; k++) {
        const hanging h = hang(4, viscosities[k], 0.02);
        cr_expect_lt(fabs(h.early), 0.03, "%g", h.early);
        cr_expect_lt(fabs(h.later), 0.03, "%g", h.later);
    }
}

Test(bar, the_error_of_long_steps_falls_with_their_length) {
    const hanging coarse = hang(4, 1e5, 0.02), fine = hang(4, 1e5, 0.005);
    cr_expect_lt(fabs(fine.early), 0.5 * fabs(coarse.early), "%g, then %g", coarse.early,
                 fine.early);
    cr_expect_lt(fabs(fine.later), 0.5 * fabs(coarse.later), "%g, then %g", coarse.later,
                 fine.later);
}
