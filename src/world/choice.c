/* See choice.h. */
#include "world/choice.h"

#include "world/calm.h"

#include <math.h>

/* What a step takes of one core, s a particle: an explicit one, and in explicit ones what an
 * implicit one takes by itself and with each iteration. Measured on blocks of 1000 to 8000
 * particles that slump (docs/performance.md). */
static const double explicit_step = 0.24e-6, implicit_step = 6, implicit_iteration = 0.7;

/* Iterations of an implicit step in thick matter, how many more in what is not, and how many in all
 * where it is so thin (ν dt / dx²) that artificial viscosity acts on it. */
static const double thick_iterations = 12, more_iterations = 33, thin_iterations = 20;
static const double thin_reach = 0.013, thicker_reach = 0.06;

/* And of those that pressure keeps short where matter is at rest (calm.h). */
static const double pressed_iterations = 6;

/* What surfaces and disorder take from explicit steps that viscosity limits (docs/flow.md). */
static const double disorder = 1.36;

/* The longest implicit step of matter that is hardly moving. */
static const double calm_step = 0.02;

/* The Reynolds number at which viscosity takes half of the speed. */
static const double braked = 100;

/* ---- Steps and what they cost ------------------------------------------------------------------
 */

static double duration_of(const tl_choice_facts *f) { return f->duration > 0 ? f->duration : 1; }

/* The longest step that the scene allows. */
static double longest_of(const tl_choice_facts *f, double otherwise) {
    return f->flow.max_step > 0 ? f->flow.max_step : otherwise;
}

tl_scheme_cost tl_cost_of_explicit(const tl_choice_facts *f) {
    tl_flow_params flow = f->flow;
    flow.scheme = TL_SCHEME_EXPLICIT;
    const double R = tl_flow_support(&flow) * f->spacing;
    double dt = R / (f->sound_speed + f->speed);
    if (f->stiffest > 0)
        dt = fmin(dt, R * R / (6 * disorder * f->stiffest));
    const double steps = duration_of(f) / fmin(flow.cfl * dt, longest_of(f, 0.01));
    return (tl_scheme_cost){steps, steps * explicit_step};
}

/* The last steps before a frame are made shorter. */
static double with_stops(const tl_choice_facts *f, double steps) {
    const double frames = f->stop_every > 0 ? duration_of(f) / f->stop_every : 0;
    return frames > 0 ? frames * ceil(steps / frames) : steps;
}

/* Part of the scene's time for which matter moves at its speed. */
static double lively_part(const tl_choice_facts *f) {
    const double T = duration_of(f);
    if (f->driving > 0 || !(f->gravity > 0) || !(f->thinnest > 0))
        return 1;
    const double fades = 2 * f->speed / f->gravity + 0.4 * f->depth * f->depth / f->thinnest;
    return fades / T * -expm1(-T / fades);
}

/* Of a step, by ν dt / dx². */
static double iterations_for(double reach) {
    const double thicker = thick_iterations + more_iterations / (1 + reach);
    const double part = fmin(fmax((reach - thin_reach) / (thicker_reach - thin_reach), 0), 1);
    return thin_iterations + part * (thicker - thin_iterations);
}

tl_scheme_cost tl_cost_of_coupled(const tl_choice_facts *f) {
    const double way = f->flow.motion * f->spacing, T = duration_of(f), dx2 = pow(f->spacing, 2);
    const double re = f->thinnest > 0 ? f->speed * f->depth / f->thinnest : HUGE_VAL;
    const double u = fmax(f->driving, f->speed * (isinf(re) ? 1 : re / (re + braked)));
    const double lively = (u + sqrt(u * u + 4 * f->gravity * way)) / (2 * way);
    const double moving = lively_part(f);
    const double pressed = tl_calm_step(f->spacing, f->gravity * f->depth, 1, f->thinnest);
    const double calm = 1 / fmin(longest_of(f, calm_step), pressed);
    const double rate = fmax(calm, lively * moving + calm * (1 - moving));
    const double steps = with_stops(f, rate * T + f->fall / way);
    const double reach = f->thinnest * T / (steps * dx2); /* ν dt / dx² */
    const bool short_of_rest = calm * longest_of(f, calm_step) > 1;
    const double resting = short_of_rest ? fmin(calm * (1 - moving) * T / steps, 1) : 0;
    const double iterations =
        iterations_for(reach) + resting * (pressed_iterations - iterations_for(reach));
    const double step = explicit_step * (implicit_step + implicit_iteration * iterations);
    return (tl_scheme_cost){steps, steps * step};
}

tl_scheme_cost tl_choice_cost(const tl_choice *c) {
    if (c->taken == TL_SCHEME_NONE)
        return (tl_scheme_cost){0};
    return c->taken == TL_SCHEME_EXPLICIT ? c->by_explicit : c->by_coupled;
}

/* ---- In words ----------------------------------------------------------------------------------
 */

static const char *name_of(int scheme) { return tl_scheme_names[scheme]; }

/* Two digits: an estimate has no more. */
static void print_count(tl_text *out, double number) {
    const double digit = pow(10, floor(log10(fmax(number, 10))) - 1);
    const double rough = round(number / digit) * digit;
    if (rough < 1e6)
        tl_text_print(out, "%.0f", fmax(rough, 1));
    else
        tl_text_print(out, "%g %s", rough < 1e9 ? rough / 1e6 : rough / 1e9,
                      rough < 1e9 ? "million" : "billion");
}

/* How much more is of no interest beyond a thousand. */
static void print_times(tl_text *out, double ratio) {
    if (ratio < 1000)
        tl_text_print(out, "%.*f times", ratio < 9.5 ? 1 : 0, ratio);
    else
        tl_text_print(out, "more than a thousand times");
}

static void explain_steps(const tl_choice *c, const char *before, tl_text *out) {
    const tl_choice_facts *f = &c->facts;
    if (c->taken != TL_SCHEME_EXPLICIT) {
        tl_text_print(out, "%ssteps: no particle goes farther than %g spacings in one\n", before,
                      f->flow.motion);
        return;
    }
    const bool viscous =
        6 * disorder * f->stiffest > (f->sound_speed + f->speed) * c->support * f->spacing;
    tl_text_print(
        out, "%ssteps: %g of what %s allows (sound %.3g m/s, viscosity up to %.3g m2/s)\n", before,
        f->flow.cfl, viscous ? "viscosity" : "sound", f->sound_speed, f->stiffest);
}

static void explain_scheme(const tl_choice *c, const char *before, tl_text *out) {
    const double e = c->by_explicit.seconds, i = c->by_coupled.seconds;
    const bool is_explicit = c->taken == TL_SCHEME_EXPLICIT;
    tl_text_print(out, "%sscheme: %s, ", before, name_of(c->taken));
    if (c->asked != TL_SCHEME_AUTOMATIC) {
        tl_text_print(out, "as the scene says\n");
    } else if (c->facts.elastic) {
        tl_text_print(out, "since some of the matter is elastic\n");
    } else if (c->facts.tension) {
        tl_text_print(out, "since some of the matter has surface tension or tensile strength\n");
    } else if (c->facts.slips) {
        tl_text_print(out, "since some of the matter slips along its own solid\n");
    } else if (c->facts.sizes_differ) {
        tl_text_print(out, "since particles differ in size\n");
    } else {
        tl_text_print(out, "since %s would take ", is_explicit ? "coupled steps" : "explicit ones");
        print_times(out, is_explicit ? i / e : e / i);
        tl_text_print(out, " as long\n");
    }
}

static void explain_costs(const tl_choice *c, const char *before, tl_text *out) {
    const char *span = c->facts.duration > 0 ? "" : " a second";
    tl_text_print(out, "%sexpected: some ", before);
    if (c->facts.elastic) {
        print_count(out, c->by_coupled.steps);
        tl_text_print(out, " steps%s, and more where it bounces\n", span);
        return;
    }
    print_count(out, c->by_explicit.steps);
    tl_text_print(out, " explicit steps%s, or ", span);
    print_count(out, c->by_coupled.steps);
    tl_text_print(out, " coupled ones\n");
}

void tl_choice_explain(const tl_choice *c, const char *before, tl_text *out) {
    if (c->taken == TL_SCHEME_NONE)
        return;
    explain_scheme(c, before, out);
    tl_text_print(out, "%ssupport: %g spacings\n", before, c->support);
    explain_steps(c, before, out);
    explain_costs(c, before, out);
}
