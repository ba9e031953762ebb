/* See elastic.h. */
#include "materials/elastic.h"

#include "materials/law_wide.h"
#include "math/polar.h"

#include <math.h>
#include <string.h>

#define AT(member) offsetof(tl_elastic, member)

static const char *const laws[] = {"convected", "corotational", NULL};

static const tl_param params[] = {
    {.name = "law",
     .type = TL_PARAM_CHOICE,
     .offset = AT(law),
     .default_value = "convected",
     .choices = laws,
     .doc =
         "How it follows large strains. convected: as rubber and polymers do (neo-Hookean solid, "
         "Oldroyd-B liquid); corotational: Mao's, for small strains and comparison"},
    {.name = "modulus",
     .type = TL_PARAM_LAW,
     .offset = AT(modulus),
     .unit = TL_UNIT_PRESSURE,
     .min = 0,
     .max = 1e12,
     .flags = TL_PARAM_REQUIRED | TL_PARAM_MIN_EXCLUSIVE,
     .doc = "Shear modulus; Young's modulus is three times as large"},
    {.name = "relaxation_time",
     .type = TL_PARAM_LAW,
     .offset = AT(relaxation_time),
     .unit = TL_UNIT_TIME,
     .min = 0,
     .max = 1e12,
     .flags = TL_PARAM_OPTIONAL | TL_PARAM_MIN_EXCLUSIVE,
     .present = AT(has_relaxation_time),
     .doc = "Time in which it forgets a strain that is held; never unless given. With a yield "
            "stress: in which what exceeds that flows off; at once unless given"},
    {.name = "yield_stress",
     .type = TL_PARAM_LAW,
     .offset = AT(yield_stress),
     .unit = TL_UNIT_PRESSURE,
     .min = 0,
     .max = 1e12,
     .flags = TL_PARAM_OPTIONAL | TL_PARAM_MIN_EXCLUSIVE,
     .present = AT(has_yield_stress),
     .doc = "Shear stress beyond which it flows, and keeps the form it gets; none unless given"},
    {.name = "hardening",
     .type = TL_PARAM_NUMBER,
     .offset = AT(hardening),
     .unit = TL_UNIT_PRESSURE,
     .min = -1e12,
     .max = 1e12,
     .default_value = "0",
     .doc = "What the yield stress grows by when it has flowed by a shear of 1; negative: softens, "
            "by 0.9 of the modulus at most"},
};

const tl_param_table tl_elastic_table =
    TL_PARAM_TABLE(tl_elastic, "elastic", "How matter springs back", params);

/* Weights of the step's change and of that before it, where nothing relaxes. */
static const double now_weight = 0.5, last_weight = 0.4;

/* ---- Tensors: xx yy zz xy xz yz ----------------------------------------------------------------
 */

typedef struct tensor {
    double at[6];
} tensor;

static tensor tensor_of(const float x[6]) {
    tensor t;
    for (int k = 0; k < 6; k++)
        t.at[k] = (double)x[k];
    return t;
}

static void store_tensor(const tensor *t, float out[6]) {
    for (int k = 0; k < 6; k++)
        out[k] = (float)t->at[k];
}

/* a x + b y */
static tensor combine(double a, const tensor *x, double b, const tensor *y) {
    tensor t;
    for (int k = 0; k < 6; k++)
        t.at[k] = a * x->at[k] + b * y->at[k];
    return t;
}

static double along(const tensor *a, const tensor *b) {
    double sum = 0;
    for (int k = 0; k < 6; k++)
        sum += (k < 3 ? 1 : 2) * a->at[k] * b->at[k];
    return sum;
}

/* √(½ t:t) */
static double size_of(const tensor *t) { return sqrt(0.5 * along(t, t)); }

static double trace_of(const tensor *t) { return t->at[0] + t->at[1] + t->at[2]; }

static tensor without_trace(const tensor *t) {
    tensor out = *t;
    for (int k = 0; k < 3; k++)
        out.at[k] -= trace_of(t) / 3;
    return out;
}

static void unpack(const tensor *t, double out[3][3]) {
    static const int at[3][3] = {{0, 3, 4}, {3, 1, 5}, {4, 5, 2}};
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            out[r][c] = t->at[at[r][c]];
}

/* A B A of symmetric ones. */
static tensor sandwich(const tensor *a, const tensor *b) {
    static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
    double A[3][3], B[3][3], AB[3][3] = {{0}};
    tensor out = {{0}};
    unpack(a, A);
    unpack(b, B);
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            for (int k = 0; k < 3; k++)
                AB[r][c] += A[r][k] * B[k][c];
    for (int e = 0; e < 6; e++)
        for (int k = 0; k < 3; k++)
            out.at[e] += AB[row[e]][k] * A[k][column[e]];
    return out;
}

static const tensor one = {{1, 1, 1, 0, 0, 0}};

/* 1 + x + f x² */
static tensor nearly_exp(const tensor *x, double f) {
    const tensor square = sandwich(x, &one), sum = combine(1, &one, 1, x);
    return combine(1, &sum, f, &square);
}

static double determinant_of(const tensor *t) {
    const double *a = t->at;
    return a[0] * (a[1] * a[2] - a[5] * a[5]) - a[3] * (a[3] * a[2] - a[5] * a[4]) +
           a[4] * (a[3] * a[5] - a[1] * a[4]);
}

/* No less than the largest eigenvalue. */
static double bound_of(const tensor *t) {
    const double *a = t->at;
    const double rows[3] = {a[0] + fabs(a[3]) + fabs(a[4]), a[1] + fabs(a[3]) + fabs(a[5]),
                            a[2] + fabs(a[4]) + fabs(a[5])};
    return fmax(rows[0], fmax(rows[1], rows[2]));
}

static tensor turned(const tensor *t, tl_turn turn) {
    double rows[3][3];
    unpack(t, rows);
    tl_vec3 half[3];
    for (int k = 0; k < 3; k++)
        half[k] = tl_turn_apply(turn, tl_vec3_of(rows[k]));
    const tl_vec3 x = tl_turn_apply(turn, (tl_vec3){half[0].x, half[1].x, half[2].x}),
                  y = tl_turn_apply(turn, (tl_vec3){half[0].y, half[1].y, half[2].y}),
                  z = tl_turn_apply(turn, (tl_vec3){half[0].z, half[1].z, half[2].z});
    return (tensor){{x.x, y.y, z.z, x.y, x.z, y.z}};
}

/* ---- Springs -----------------------------------------------------------------------------------
 */

tl_spring tl_spring_of(double modulus, double relaxation_time, double stress, double stiffness,
                       double dt, double stiffest) {
    const double x = relaxation_time > 0 ? dt / relaxation_time : 0, keeps = exp(-x);
    const double G = stiffest > 0 ? fmin(modulus, stiffest / (dt * stiffness)) : modulus;
    const double age = x < 1e-4 ? 0.5 - x / 12 : 1 / x - keeps / -expm1(-x);
    return (tl_spring){.modulus = G,
                       .stiffness = stiffness,
                       .keeps = keeps,
                       .viscosity = G * stiffness * dt * (x > 1e-8 ? -expm1(-x) / x : 1),
                       .age = dt * age,
                       .now = 1 - (1 - now_weight) * keeps + keeps * stress / stiffness,
                       .last = keeps * (last_weight + stress / stiffness)};
}

/* One particle at the start of a step. */
typedef struct asked {
    tl_spring spring;
    tensor shape;  /* c */
    tensor stress; /* S */
    tensor rate;   /* C/dt */
    tensor strain; /* e */
    double before; /* Pa: G of the last step */
    tl_yield yield;
} asked;

/* What heat leaves of a stress. */
static double left_by_heat(double modulus, double before) {
    return before > 0 && modulus > before ? before / modulus : 1;
}

/* Fills in all but the spring. Strain is what is remembered: it shrinks where G has grown. */
static void ask(const tl_elastic *e, const tl_strained *in, void *const *memory, size_t i,
                double modulus, asked *a) {
    a->before = (double)((const float *)memory[TL_ELASTIC_MODULUS])[i];
    const double left = left_by_heat(modulus, a->before);
    const tensor excess = tensor_of(((float(*)[6])memory[TL_ELASTIC_SHAPE])[i]);
    const tensor before = tensor_of(((float(*)[6])memory[TL_ELASTIC_STRESS])[i]);
    const double scale = a->before > 0 ? left * modulus / a->before : 1;
    a->shape = combine(1, &one, left, &excess);
    a->stress = e->law == TL_ELASTIC_CONVECTED ? without_trace(&a->shape) : before;
    a->stress = combine(e->law == TL_ELASTIC_CONVECTED ? modulus : scale, &a->stress, 0, &one);
    a->rate = tensor_of(((float(*)[6])memory[TL_ELASTIC_RATE])[i]);
    a->strain = in->strain ? tensor_of(in->strain[i]) : (tensor){{0}};
}

static tl_yield yield_of(const tl_elastic *e, double stress, double relaxation_time, double dt,
                         void *const *memory, size_t i) {
    if (!e->has_yield_stress)
        return (tl_yield){HUGE_VAL, 0, HUGE_VAL};
    const double flowed = (double)((const float *)memory[TL_ELASTIC_PLASTIC])[i];
    return (tl_yield){stress + e->hardening * flowed, e->hardening,
                      relaxation_time > 0 ? dt / relaxation_time : HUGE_VAL};
}

/* Asks particles [first, first + count), TL_LANES at most. */
static void ask_all(const tl_elastic *e, const tl_strained *in, double density, void *const *memory,
                    size_t first, size_t count, asked *out) {
    float lanes[4][TL_LANES] = {{0}};
    memcpy(lanes[0], in->temperature + first, count * sizeof(float));
    const tl_wide T = tl_load(lanes[0]);
    tl_store(lanes[1], tl_law_wide(&e->modulus, T));
    if (e->has_relaxation_time)
        tl_store(lanes[2], tl_law_wide(&e->relaxation_time, T));
    if (e->has_yield_stress)
        tl_store(lanes[3], tl_law_wide(&e->yield_stress, T));
    for (size_t l = 0; l < count; l++) {
        const double G = (double)lanes[1][l];
        ask(e, in, memory, first + l, G, &out[l]);
        const double stress = size_of(&out[l].stress), lambda = (double)lanes[2][l];
        const double stiffness =
            e->law == TL_ELASTIC_CONVECTED ? fmax(bound_of(&out[l].shape), 1) : 1;
        out[l].yield = yield_of(e, (double)lanes[3][l], lambda, in->dt, memory, first + l);
        /* Below its yield stress matter forgets nothing. */
        out[l].spring = tl_spring_of(G, e->has_yield_stress ? 0 : lambda, G > 0 ? stress / G : 0,
                                     stiffness, in->dt, in->stiffest * density);
    }
}

void tl_elastic_springs(const tl_elastic *e, const tl_strained *in, double density,
                        void *const *memory, tl_spring *springs, size_t n) {
    for (size_t first = 0; first < n; first += TL_LANES) {
        const size_t count = n - first < TL_LANES ? n - first : TL_LANES;
        asked all[TL_LANES];
        ask_all(e, in, density, memory, first, count, all);
        for (size_t l = 0; l < count; l++)
            springs[first + l] = all[l].spring;
    }
}

/* ---- The answer --------------------------------------------------------------------------------
 */

/* What yielding makes of a step. */
typedef struct yielding {
    double keeps;  /* S at the end over the trial stress; 1: it does not yield */
    double part;   /* of the strain of the step that flows, from 0 to 1 */
    double flowed; /* that strain, as a shear */
} yielding;

/* Of a step to the stress `trial` at a rate of strain. */
static yielding yield_to(const asked *a, const tensor *trial, const tensor *strain, double dt) {
    const double start = size_of(&a->stress), q = size_of(trial);
    if (!(q > a->yield.stress))
        return (yielding){.keeps = 1};
    /* What is stretched already is stiffer along that, and softer where it is squeezed. */
    const tensor grown = combine(1, trial, -1, &a->stress);
    const double shear = 2 * dt * size_of(strain);
    const double modulus = shear > 0 ? size_of(&grown) / shear : a->spring.modulus;
    const double end = tl_yield_end(&a->yield, modulus, start, q);
    if (!(end < q))
        return (yielding){.keeps = 1};
    const tensor moved = combine(end / q, trial, -1, &a->stress);
    return (yielding){end / q, (q - end) / (q - end + size_of(&moved)), (q - end) / modulus};
}

/* The stress that a step begins with and the spring adds to, as the solve knows it. */
static tensor trial_of(const asked *a, const tensor *strain) {
    return combine(1, &a->stress, 2 * a->spring.viscosity, strain);
}

/* β₁ of a step: what flows is viscous, where only Euler is right. */
static double now_of(const asked *a, const yielding *y) {
    return a->spring.now + (1 - a->spring.now) * y->part;
}

/* What the solve takes for the stress of the spring at a rate of strain. */
static tensor spring_stress(const asked *a, const tensor *strain, double dt) {
    const tl_spring *s = &a->spring;
    const tensor trial = trial_of(a, strain);
    const yielding y = yield_to(a, &trial, strain, dt);
    if (y.keeps < 1) {
        const double now = now_of(a, &y), last = s->last * (1 - y.part);
        const tensor known = combine(1 - now, &a->stress, -last * dt, &a->rate);
        return combine(1, &known, now * y.keeps, &trial);
    }
    const tensor known = combine(1 - s->now * (1 - s->keeps), &a->stress, -s->last * dt, &a->rate);
    return combine(1, &known, 2 * s->now * s->viscosity, strain);
}

/* The same with that of what flows beside the spring. */
static tensor stress_of(const asked *a, double viscosity, double dt) {
    const tensor spring = spring_stress(a, &a->strain, dt);
    return combine(1, &spring, 2 * viscosity, &a->strain);
}

/* Part by which the trial stress changes to see how stress follows; and the least part of η that is
 * left of it along itself, for the sake of the solve. */
static const double trial_change = 0.01, least_left = 0.01;

static tl_slack slack_of(const asked *a, double dt) {
    const double eta = a->spring.viscosity;
    const tensor trial = trial_of(a, &a->strain);
    const yielding y = yield_to(a, &trial, &a->strain, dt);
    tl_slack out = {0};
    if (!(y.keeps < 1))
        return out;
    const double q = size_of(&trial), round = now_of(a, &y) * y.keeps * eta;
    const double change = trial_change * q / (sqrt(2) * eta);
    const tensor n = combine(1 / (sqrt(2) * q), &trial, 0, &one);
    const tensor more = combine(1, &a->strain, change, &n);
    const tensor before = spring_stress(a, &a->strain, dt), after = spring_stress(a, &more, dt);
    const double left = (along(&after, &n) - along(&before, &n)) / (2 * change);
    out.loss = (float)(a->spring.now * eta - round);
    for (int k = 0; k < 6; k++)
        out.direction[k] =
            (float)(sqrt(2 * fmax(round - fmax(left, least_left * round), 0)) * n.at[k]);
    return out;
}

/* What is left of c - 1, or S, at the end of a step, and what is new; in the frame of its start. */
typedef struct ending {
    tensor old, fresh;
} ending;

static ending end_shape(const asked *a, double dt) {
    const tl_spring *s = &a->spring;
    const tensor h = combine(dt, &a->strain, 0, &one),
                 young = combine(2 * s->age, &a->strain, 0, &one);
    const tensor U = nearly_exp(&h, 0.5), kept = sandwich(&U, &a->shape);
    const tensor fresh = nearly_exp(&young, 1);
    return (ending){combine(s->keeps, &kept, -s->keeps, &one),
                    combine(1 - s->keeps, &fresh, s->keeps - 1, &one)};
}

static ending end_stress(const asked *a) {
    const tl_spring *s = &a->spring;
    return (ending){combine(s->keeps, &a->stress, 0, &one),
                    combine(2 * s->viscosity, &a->strain, 0, &one)};
}

/* The end of a step, with what flows taken off. */
static ending end_of(const tl_elastic *e, const asked *a, double dt, yielding *y) {
    const bool convected = e->law == TL_ELASTIC_CONVECTED;
    const double G = a->spring.modulus;
    const ending all = convected ? end_shape(a, dt) : end_stress(a);
    const tensor sum = combine(1, &all.old, 1, &all.fresh), none = without_trace(&sum);
    const tensor trial = combine(convected ? G : 1, &none, 0, &one);
    *y = yield_to(a, &trial, &a->strain, dt);
    return (ending){combine(y->keeps, &all.old, 0, &one), combine(y->keeps, &all.fresh, 0, &one)};
}

/* Memories at the end of a step in which matter has turned by `turn`. */
static void remember(const tl_elastic *e, const asked *a, double dt, const float turn[3],
                     void *const *memory, size_t i) {
    const tl_spring *s = &a->spring;
    const bool convected = e->law == TL_ELASTIC_CONVECTED;
    yielding y;
    const ending end = end_of(e, a, dt, &y);
    const tl_vec3 by = {(double)turn[0], (double)turn[1], (double)turn[2]};
    const tl_turn whole = tl_turn_by(by);
    const tl_turn part = tl_turn_by(tl_vec3_scale(by, dt > 0 ? 0.5 + s->age / dt : 1));
    const tensor old = turned(&end.old, whole), fresh = turned(&end.fresh, part);
    const tensor now = combine(1, &old, 1, &fresh), none = without_trace(&now);
    const tensor stress = combine(convected ? s->modulus : 1, convected ? &none : &now, 0, &one);
    const tensor change = combine(y.keeps * 2 * s->viscosity / dt, &a->strain,
                                  (y.keeps * s->keeps - 1) / dt, &a->stress);
    const tensor rate = turned(&change, whole);
    if (convected)
        store_tensor(&now, ((float(*)[6])memory[TL_ELASTIC_SHAPE])[i]);
    store_tensor(&stress, ((float(*)[6])memory[TL_ELASTIC_STRESS])[i]);
    store_tensor(&rate, ((float(*)[6])memory[TL_ELASTIC_RATE])[i]);
    ((float *)memory[TL_ELASTIC_MODULUS])[i] = (float)s->modulus;
    if (e->has_yield_stress)
        ((float *)memory[TL_ELASTIC_PLASTIC])[i] += (float)y.flowed;
}

/* Of a particle whose η, if it is held, is that of flow and spring together. */
static void answer(const tl_strained *in, size_t i, const asked *a, unsigned wanted,
                   const tl_response *out) {
    const double stiff = a->spring.now * a->spring.viscosity, given = (double)out->viscosity[i];
    const double flows = wanted & TL_RESPOND_HELD ? fmax(given - stiff, 0) : given;
    const double eta = flows + stiff;
    if (wanted & TL_RESPOND_TANGENT)
        out->tangent[i] = eta > 0 ? (float)((flows * (double)out->tangent[i] + stiff) / eta) : 1;
    if (wanted & TL_RESPOND_HEAT) {
        const double volume = in->volume ? in->volume[i] : 1;
        out->heat[i] = (float)(volume * flows) * in->rate[i] * in->rate[i];
    }
    if (wanted & (TL_RESPOND_STRESS | TL_RESPOND_TENSOR)) {
        const tensor stress = stress_of(a, flows, in->dt);
        if (wanted & TL_RESPOND_STRESS)
            out->stress[i] = (float)sqrt(0.5 * along(&stress, &stress));
        if (wanted & TL_RESPOND_TENSOR)
            store_tensor(&stress, out->tensor[i]);
    }
    if (wanted & TL_RESPOND_SLACK)
        out->slack[i] = slack_of(a, in->dt);
    if (!(wanted & TL_RESPOND_HELD))
        out->viscosity[i] = (float)eta;
}

void tl_elastic_recall(const tl_elastic *e, const tl_strained *in, double density,
                       void *const *memory, unsigned wanted, const tl_response *out, size_t n) {
    static const float no_turn[3];
    for (size_t first = 0; first < n; first += TL_LANES) {
        const size_t count = n - first < TL_LANES ? n - first : TL_LANES;
        asked all[TL_LANES];
        ask_all(e, in, density, memory, first, count, all);
        for (size_t l = 0; l < count; l++) {
            const size_t i = first + l;
            answer(in, i, &all[l], wanted, out);
            if (wanted & TL_RESPOND_REMEMBER)
                remember(e, &all[l], in->dt, in->turn ? in->turn[i] : no_turn, memory, i);
        }
    }
}

/* ---- Energy ------------------------------------------------------------------------------------
 */

static double energy_of_shape(const tensor *c, double modulus) {
    return 0.5 * modulus * (trace_of(c) - 3 - log(fmax(determinant_of(c), 1e-30)));
}

static double energy_of_stress(const tensor *S, double modulus) {
    return modulus > 0 ? along(S, S) / (4 * modulus) : 0;
}

double tl_elastic_energy(const tl_elastic *e, void *const *memory) {
    const double modulus = (double)*(const float *)memory[TL_ELASTIC_MODULUS];
    const tensor S = tensor_of(memory[TL_ELASTIC_STRESS]), x = tensor_of(memory[TL_ELASTIC_SHAPE]);
    const tensor c = combine(1, &one, 1, &x);
    return e->law == TL_ELASTIC_CONVECTED ? energy_of_shape(&c, modulus)
                                          : energy_of_stress(&S, modulus);
}

tl_flowed tl_elastic_flow(const tl_elastic *e, const tl_strained *in, double density,
                          void *const *memory) {
    asked a;
    yielding y = {.keeps = 1};
    if (e->has_yield_stress) {
        ask_all(e, in, density, memory, 0, 1, &a);
        end_of(e, &a, in->dt, &y);
    }
    return (tl_flowed){y.keeps, y.flowed};
}

double tl_elastic_heat(const tl_elastic *e, const tl_strained *in, double density,
                       void *const *memory) {
    asked a;
    ask_all(e, in, density, memory, 0, 1, &a);
    const tl_spring *s = &a.spring;
    const bool convected = e->law == TL_ELASTIC_CONVECTED;
    const double G = s->modulus, before = tl_elastic_energy(e, memory);
    const double start = convected ? energy_of_shape(&a.shape, G) : energy_of_stress(&a.stress, G);
    yielding y;
    const ending end = end_of(e, &a, in->dt, &y);
    if (!(s->keeps < 1) && !(y.keeps < 1))
        return before - start;
    const tensor sum = combine(1, &end.old, 1, &end.fresh), c = combine(1, &one, 1, &sum);
    const tensor none = without_trace(&sum);
    const tensor S = combine(convected ? G : 1, convected ? &none : &sum, 0, &one);
    /* Its mean over the step: half of both where little is forgotten, S⁺ where much is. */
    const double share = y.keeps < 1 ? 0.5 * (1 + y.part) : 1 - s->age / in->dt;
    const tensor mean = combine(1 - share, &a.stress, share, &S);
    return before + in->dt * along(&mean, &a.strain) -
           (convected ? energy_of_shape(&c, G) : energy_of_stress(&S, G));
}
