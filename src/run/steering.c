/* See steering.h. Values go into scenes as numbers alone and keys have to be those of knobs: words
 * that come from a network never reach the reader of scenes. */
#include "run/steering.h"

#include "base/array.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* No record asks for more. */
static const double most_particles = 1e9;

static const size_t largest_record = (size_t)1 << 28; /* bytes */

tl_steering tl_steering_begin(const char *path, const tl_scene_options *options) {
    tl_steering s = {.path = path};
    if (options)
        s.options = *options;
    s.options.diagnostics = NULL;
    return s;
}

void tl_steering_free(tl_steering *s) {
    tl_array_free(s->told);
    tl_array_free(s->values);
    tl_scene_destroy(s->adopted);
    *s = (tl_steering){0};
}

/* ---- Words -------------------------------------------------------------------------------------
 */

/* One that is read from left to right. */
typedef struct reader {
    const char *at;
    bool failed;
} reader;

static void skip_blanks(reader *r) { r->at += strspn(r->at, " "); }

static void read_word(reader *r, char *out, size_t size) {
    skip_blanks(r);
    const size_t length = strcspn(r->at, " ");
    r->failed = r->failed || length == 0 || length >= size;
    snprintf(out, size, "%.*s", (int)(length < size ? length : size - 1), r->at);
    r->at += length;
}

/* A finite number in decimal. */
static double read_number(reader *r) {
    char word[40], *end;
    read_word(r, word, sizeof word);
    const double value = strtod(word, &end);
    r->failed = r->failed || *end || strpbrk(word, "xXnNpP") || !isfinite(value);
    return r->failed ? 0 : value;
}

static void read_numbers(reader *r, double *out, size_t count) {
    for (size_t k = 0; k < count; k++)
        out[k] = read_number(r);
}

static bool at_end(reader *r) {
    skip_blanks(r);
    return !r->failed && !*r->at;
}

/* ---- What they do ------------------------------------------------------------------------------
 */

typedef struct task {
    tl_steering *steering;
    tl_world *world;
    char name[96];
    double number[9];
} task;

static tl_status load(const tl_steering *s, tl_scene **out, tl_error *error) {
    const size_t given = s->options.override_count, count = given + s->value_count;
    const char **overrides = tl_allocate(count, sizeof *overrides);
    if (!overrides)
        return tl_fail_memory(error, count, sizeof *overrides);
    for (size_t k = 0; k < count; k++)
        overrides[k] = k < given ? s->options.overrides[k] : s->values[k - given].override;
    const tl_scene_options options = {.overrides = overrides, .override_count = count};
    const tl_status status = tl_scene_load_file(s->path, &options, out, error);
    free(overrides);
    return status;
}

static tl_status adopt(tl_steering *s, tl_world *world, tl_error *error) {
    tl_scene *scene;
    TL_TRY(load(s, &scene, error));
    const tl_status status = tl_world_adopt(world, scene, error);
    if (status != TL_OK) {
        tl_scene_destroy(scene);
        return status;
    }
    tl_scene_destroy(s->adopted);
    s->adopted = scene;
    return TL_OK;
}

/* Whether the scene has a knob of this name; the nearest one is named if not. */
static tl_status check_key(const tl_steering *s, const char *key, tl_error *error) {
    tl_scene *scene = s->adopted;
    if (!scene)
        TL_TRY(load(s, &scene, error));
    const size_t count = tl_scene_knobs(scene, NULL, 0);
    tl_knob *knobs = tl_allocate(count, sizeof *knobs);
    const char **keys = tl_allocate(count, sizeof *keys);
    bool found = false;
    if (knobs && keys) {
        tl_scene_knobs(scene, knobs, count);
        for (size_t k = 0; k < count; k++) {
            keys[k] = knobs[k].key;
            found = found || strcmp(key, keys[k]) == 0;
        }
    }
    const char *nearest = keys && !found ? tl_nearest_word(key, keys, count) : NULL;
    char fix[200] = "";
    if (nearest)
        snprintf(fix, sizeof fix, "did you mean %s?", nearest);
    free(knobs);
    free(keys);
    if (scene != s->adopted)
        tl_scene_destroy(scene);
    return found ? TL_OK
                 : tl_fail(error, TL_BAD_INPUT, "set", fix, "\"%.100s\" is no live number", key);
}

/* The place of a key among the values; value_count: it was not set before. */
static size_t find_value(const tl_steering *s, const char *key) {
    size_t k = 0;
    while (k < s->value_count && !(s->values[k].key_length == strlen(key) &&
                                   strncmp(s->values[k].override, key, strlen(key)) == 0))
        k++;
    return k;
}

static tl_status note_value(tl_steering *s, const char *key, double number, tl_error *error) {
    const size_t k = find_value(s, key);
    TL_TRY(TL_ARRAY_RESERVE(s->values, s->value_count, s->value_count + 1, error));
    s->value_count += k == s->value_count;
    s->values[k].key_length = strlen(key);
    snprintf(s->values[k].override, sizeof s->values[k].override, "%s=%.17g", key, number);
    return TL_OK;
}

static tl_status set(const task *t, tl_error *error) {
    tl_steering *s = t->steering;
    const size_t k = find_value(s, t->name), count = s->value_count;
    TL_TRY(check_key(s, t->name, error));
    const tl_told_value before = k < count ? s->values[k] : (tl_told_value){0};
    TL_TRY(note_value(s, t->name, t->number[0], error));
    const tl_status status = adopt(s, t->world, error);
    if (status == TL_OK)
        return TL_OK;
    s->value_count = count;
    if (k < count)
        s->values[k] = before;
    return status;
}

static tl_status gravity(const task *t, tl_error *error) {
    return tl_world_set_gravity(t->world, t->number, error);
}

static tl_status grip(const task *t, tl_error *error) {
    return tl_world_grip(t->world, t->number, t->number[3], t->number[4], NULL, error);
}

static tl_status carry(const task *t, tl_error *error) {
    return tl_world_carry(t->world, t->number, error);
}

static tl_status release(const task *t, tl_error *error) {
    (void)error;
    tl_world_let_go(t->world);
    return TL_OK;
}

static tl_status source(const task *t, tl_error *error) {
    return tl_world_place_source(t->world, t->name, t->number, error);
}

static tl_status wall(const task *t, tl_error *error) {
    return tl_world_drive_wall(t->world, t->name, t->number, error);
}

static tl_status warm(const task *t, tl_error *error) {
    tl_field_view place;
    if (!tl_world_field(t->world, "position", &place))
        return TL_OK;
    float *temperatures = tl_allocate(place.count, sizeof *temperatures);
    if (!temperatures)
        return tl_fail_memory(error, place.count, sizeof *temperatures);
    for (size_t i = 0; i < place.count; i++) {
        const double *x = (const double *)place.data + 3 * i, *c = t->number;
        const double way = sqrt((x[0] - c[0]) * (x[0] - c[0]) + (x[1] - c[1]) * (x[1] - c[1]) +
                                (x[2] - c[2]) * (x[2] - c[2]));
        temperatures[i] = way < t->number[3] ? (float)t->number[4] : NAN;
    }
    const tl_status status = tl_world_warm(t->world, temperatures, error);
    free(temperatures);
    return status;
}

static tl_status pour(const task *t, tl_error *error) {
    const double *n = t->number;
    const tl_stream stream = {.material = t->name,
                              .place = {n[0], n[1], n[2]},
                              .velocity = {n[3], n[4], n[5]},
                              .radius = n[6],
                              .temperature = n[7],
                              .most = n[8] > 0 && n[8] < most_particles ? (size_t)n[8] : 0};
    return tl_world_pour(t->world, &stream, error);
}

static tl_status shut(const task *t, tl_error *error) {
    (void)error;
    tl_world_stop_pouring(t->world);
    return TL_OK;
}

static const struct verb {
    const char *name;
    bool named; /* a name stands before the numbers */
    size_t numbers;
    tl_status (*act)(const task *, tl_error *);
    const char *form;
} verbs[] = {
    {"set", true, 1, set, "set KEY NUMBER"},
    {"gravity", false, 3, gravity, "gravity X Y Z"},
    {"grip", false, 5, grip, "grip X Y Z RADIUS STRENGTH"},
    {"carry", false, 3, carry, "carry X Y Z"},
    {"release", false, 0, release, "release"},
    {"source", true, 3, source, "source NAME X Y Z"},
    {"wall", true, 3, wall, "wall NAME X Y Z"},
    {"warm", false, 5, warm, "warm X Y Z RADIUS TEMPERATURE"},
    {"pour", true, 9, pour, "pour MATERIAL X Y Z VX VY VZ RADIUS TEMPERATURE PARTICLES"},
    {"shut", false, 0, shut, "shut"},
};

static tl_status act(tl_steering *s, tl_world *world, const char *words, tl_error *error) {
    const char *names[sizeof verbs / sizeof *verbs];
    char word[24];
    task t = {.steering = s, .world = world};
    reader r = {.at = words};
    read_word(&r, word, sizeof word);
    for (size_t v = 0; v < sizeof verbs / sizeof *verbs; v++) {
        names[v] = verbs[v].name;
        if (strcmp(word, verbs[v].name) != 0)
            continue;
        if (verbs[v].named)
            read_word(&r, t.name, sizeof t.name);
        read_numbers(&r, t.number, verbs[v].numbers);
        if (!at_end(&r))
            return tl_fail(error, TL_BAD_INPUT, "steering", verbs[v].form, "cannot read \"%.100s\"",
                           words);
        return verbs[v].act(&t, error);
    }
    const char *nearest = tl_nearest_word(word, names, sizeof verbs / sizeof *verbs);
    char fix[64] = "";
    if (nearest)
        snprintf(fix, sizeof fix, "did you mean %s?", nearest);
    return tl_fail(error, TL_BAD_INPUT, "steering", fix, "there is no \"%.20s\"", word);
}

static bool is_printable(const char *words) {
    for (; *words; words++)
        if ((unsigned char)*words < ' ' || *words == 0x7F)
            return false;
    return true;
}

static tl_status add(tl_steering *s, uint64_t step, double time, const char *words,
                     tl_error *error) {
    TL_TRY(TL_ARRAY_RESERVE(s->told, s->count, s->count + 1, error));
    tl_told *told = &s->told[s->count++];
    *told = (tl_told){.step = step, .time = time};
    snprintf(told->words, sizeof told->words, "%s", words);
    return TL_OK;
}

tl_status tl_steering_tell(tl_steering *s, tl_world *world, const char *words, tl_error *error) {
    if (strlen(words) >= TL_TOLD_WORDS || !is_printable(words))
        return tl_fail(error, TL_BAD_INPUT, "steering", NULL, "the words are too long, or no text");
    TL_TRY(act(s, world, words, error));
    TL_TRY(add(s, tl_world_steps(world), tl_world_time(world), words, error));
    s->next = s->count;
    return TL_OK;
}

/* ---- Records -----------------------------------------------------------------------------------
 */

tl_status tl_steering_replay(tl_steering *s, tl_world *world, tl_error *error) {
    tl_status status = TL_OK;
    while (status == TL_OK && s->next < s->count &&
           s->told[s->next].step <= tl_world_steps(world)) {
        const tl_told *told = &s->told[s->next++];
        status = act(s, world, told->words, error);
        if (status != TL_OK && error)
            snprintf(error->where, sizeof error->where, "record, step %" PRIu64 ", \"%.100s\"",
                     told->step, told->words);
    }
    return status;
}

size_t tl_steering_before(const tl_steering *s, uint64_t step) {
    size_t k = 0;
    while (k < s->count && s->told[k].step < step)
        k++;
    return k;
}

/* Whatever is not a parameter is in the snapshot. */
tl_status tl_steering_return(tl_steering *s, tl_world *world, size_t done, tl_error *error) {
    char word[24], key[96];
    s->value_count = 0;
    for (s->next = 0; s->next < s->count && s->next < done; s->next++) {
        reader r = {.at = s->told[s->next].words};
        read_word(&r, word, sizeof word);
        if (strcmp(word, "set") != 0)
            continue;
        read_word(&r, key, sizeof key);
        const double number = read_number(&r);
        TL_TRY(check_key(s, key, error));
        TL_TRY(note_value(s, key, number, error));
    }
    return s->value_count > 0 || s->adopted ? adopt(s, world, error) : TL_OK;
}

tl_status tl_steering_write(const tl_steering *s, const char *path, tl_error *error) {
    tl_file file;
    TL_TRY(tl_file_begin(&file, path, error));
    fprintf(file.stream,
            "# What was told a run of %s: step, time in s, words. To see it again, with the\n"
            "# options of then: tallow run SCENE --replay FILE\n",
            s->path);
    for (size_t k = 0; k < s->count; k++)
        fprintf(file.stream, "%" PRIu64 " %.9g %s\n", s->told[k].step, s->told[k].time,
                s->told[k].words);
    return tl_file_commit(&file, error);
}

/* One line, which is cut off at its end. */
static tl_status read_line(tl_steering *s, char *line, const char *path, size_t number,
                           tl_error *error) {
    char where[256], *end;
    snprintf(where, sizeof where, "%.200s:%zu", path, number);
    if (!*line || *line == '#')
        return TL_OK;
    errno = 0;
    const uint64_t step = strtoull(line, &end, 10);
    bool good = isdigit((unsigned char)*line) && *end == ' ' && errno == 0;
    const char *after_step = end;
    const double time = good ? strtod(after_step, &end) : 0;
    good = good && end != after_step && *end == ' ' && isfinite(time) && is_printable(end) &&
           strlen(end + 1) < TL_TOLD_WORDS;
    if (!good)
        return tl_fail(error, TL_BAD_INPUT, where, "a line is: STEP TIME WORDS",
                       "cannot read \"%.100s\"", line);
    if (s->count > 0 && step < s->told[s->count - 1].step)
        return tl_fail(error, TL_BAD_INPUT, where, "sort the lines by their steps",
                       "step %" PRIu64 " comes after step %" PRIu64, step,
                       s->told[s->count - 1].step);
    return add(s, step, time, end + 1, error);
}

tl_status tl_steering_read(tl_steering *s, const char *path, tl_error *error) {
    char *text;
    size_t size;
    tl_status status = TL_OK;
    TL_TRY(tl_file_read(path, largest_record, &text, &size, error));
    s->count = s->next = 0;
    char *next = text;
    for (size_t number = 1; next && status == TL_OK; number++) {
        char *line = strsep(&next, "\n");
        status = read_line(s, line, path, number, error);
    }
    free(text);
    return status;
}
