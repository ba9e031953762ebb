/* The command line of `tallow render`. See render.h. */
#include "render.h"

#include "base/text.h"
#include "frames.h"
#include "output/film.h"
#include "scene/units.h"
#include "terminal.h"

#include <stdlib.h>
#include <string.h>

/* True, and *out = the value or NULL, unless it is none of the names. */
static bool parse_word(const cli_arguments *arguments, const char *option, const char *what,
                       const char *const *names, const char **out) {
    size_t count = 0;
    *out = cli_value(arguments, option);
    if (!*out)
        return true;
    for (; names[count]; count++)
        if (strcmp(*out, names[count]) == 0)
            return true;
    const char *nearest = tl_nearest_word(*out, names, count);
    tl_text list = {0};
    if (nearest)
        tl_text_print(&list, "did you mean %s? ", nearest);
    tl_text_print(&list, "there are ");
    for (size_t i = 0; i < count; i++)
        tl_text_print(&list, "%s%s", i == 0 ? "" : i + 1 < count ? ", " : " and ", names[i]);
    cli_complain("there is no %s %s; %s", what, *out, list.failed ? "" : list.bytes);
    free(list.bytes);
    return false;
}

/* Numbers of a dimension with separators in between; exactly `count` of them. */
static bool split_numbers(const char *text, char separator, tl_unit unit, size_t count,
                          double *out) {
    for (size_t i = 0; i < count; i++) {
        char part[64];
        tl_unit_problem problem;
        const char *end = strchr(text, separator);
        const size_t length = end ? (size_t)(end - text) : strlen(text);
        if (length >= sizeof part || (end != NULL) != (i + 1 < count))
            return false;
        memcpy(part, text, length);
        part[length] = 0;
        if (!tl_unit_parse(part, unit, &out[i], &problem))
            return false;
        text += length + 1;
    }
    return true;
}

static bool parse_place(const cli_arguments *arguments, const char *option, double out[3],
                        bool *given) {
    const char *text = cli_value(arguments, option);
    *given = text != NULL;
    if (!text || split_numbers(text, ',', TL_UNIT_LENGTH, 3, out))
        return true;
    cli_complain("--%s %s: expected a place X,Y,Z, such as 0.3,-0.4,25cm", option, text);
    return false;
}

static bool parse_camera(const cli_arguments *arguments, cli_render_options *o) {
    const char *text = cli_value(arguments, "fov");
    if (!parse_place(arguments, "from", o->from, &o->has_from) ||
        !parse_place(arguments, "look-at", o->look_at, &o->has_look_at))
        return false;
    const double *a = o->from, *b = o->look_at;
    if (o->has_from && o->has_look_at && a[0] == b[0] && a[1] == b[1] && a[2] == b[2]) {
        cli_complain("the camera cannot look at the place where it is");
        return false;
    }
    o->has_field_of_view = text != NULL;
    if (!text || (split_numbers(text, ',', TL_UNIT_ANGLE, 1, &o->field_of_view) &&
                  o->field_of_view >= 0.02 && o->field_of_view <= 2.8))
        return true;
    cli_complain("--fov %s: expected an angle from 1.2deg to 160deg, such as 35deg", text);
    return false;
}

static bool parse_range(const cli_arguments *arguments, cli_render_options *o) {
    const char *text = cli_value(arguments, "range");
    o->has_range = text != NULL;
    if (!text || (split_numbers(text, ':', TL_UNIT_NONE, 2, o->range) && o->range[0] < o->range[1]))
        return true;
    cli_complain("--range %s: expected LOW:HIGH in SI units, such as 20:95", text);
    return false;
}

/* "1280x720". */
static bool parse_pair(const cli_arguments *arguments, const char *option, int min, int max,
                       const char *example, int *width, int *height) {
    const char *text = cli_value(arguments, option);
    char rest;
    if (!text || (sscanf(text, "%6dx%6d%c", width, height, &rest) == 2 && *width >= min &&
                  *height >= min && *width <= max && *height <= max))
        return true;
    cli_complain("--%s %s: expected two numbers from %d to %d, such as %s", option, text, min, max,
                 example);
    return false;
}

static bool parse_positive(const cli_arguments *arguments, const char *option, tl_unit unit,
                           double min, double max, double *out) {
    const char *text = cli_value(arguments, option);
    if (!text || (split_numbers(text, ',', unit, 1, out) && *out >= min && *out <= max))
        return true;
    cli_complain("--%s %s: expected a number from %g to %g", option, text, min, max);
    return false;
}

static bool parse_film(const cli_arguments *arguments, cli_render_options *o) {
    static const char *const names[] = {"mp4", "webm", "gif", "none", NULL};
    const char *format;
    if (!parse_word(arguments, "film", "kind of film", names, &format) ||
        !parse_positive(arguments, "fps", TL_UNIT_FREQUENCY, 0.1, 240, &o->film_rate) ||
        !parse_positive(arguments, "slow", TL_UNIT_NONE, 0.001, 1e6, &o->slow))
        return false;
    o->has_format = format != NULL;
    o->format = -1;
    for (int k = 0; format && tl_film_suffixes[k]; k++)
        if (strcmp(format, tl_film_suffixes[k]) == 0)
            o->format = k;
    return true;
}

/* What can only be asked for one at a time. */
static bool check_kind(const cli_arguments *arguments) {
    static const char *const kinds[] = {"turntable", "side-by-side", "sheet", "still"};
    const char *first = NULL;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (!cli_has(arguments, kinds[i]))
            continue;
        if (first) {
            cli_complain("--%s and --%s do not go together", first, kinds[i]);
            return false;
        }
        first = kinds[i];
    }
    if (cli_has(arguments, "side-by-side") && arguments->word_count < 2) {
        cli_complain("--side-by-side needs two runs or more");
        return false;
    }
    if (cli_has(arguments, "output") && arguments->word_count > 1 &&
        !cli_has(arguments, "side-by-side")) {
        cli_complain("one folder cannot hold the pictures of %zu runs; leave out -o, or add "
                     "--side-by-side",
                     arguments->word_count);
        return false;
    }
    return true;
}

bool cli_render_parse(const cli_arguments *arguments, cli_render_options *o) {
    int64_t threads;
    *o = (cli_render_options){.colour_by = cli_value(arguments, "colour-by"),
                              .output = cli_value(arguments, "output"),
                              .side_by_side = cli_has(arguments, "side-by-side"),
                              .no_denoise = cli_has(arguments, "no-denoise"),
                              .no_caption = cli_has(arguments, "no-caption"),
                              .no_legend = cli_has(arguments, "no-legend"),
                              .scale_bar = cli_has(arguments, "scale-bar"),
                              .keep_pictures = cli_has(arguments, "keep-pictures"),
                              .quiet = cli_has(arguments, "quiet")};
    const bool good =
        check_kind(arguments) && parse_word(arguments, "look", "look", tl_look_names, &o->look) &&
        parse_word(arguments, "colour-map", "colour map", tl_colormap_names, &o->colour_map) &&
        parse_range(arguments, o) &&
        parse_pair(arguments, "size", 16, TL_PREVIEW_MAX_SIZE, "1280x720", &o->width, &o->height) &&
        parse_pair(arguments, "sheet", 1, 32, "4x3", &o->columns, &o->rows) &&
        cli_frame_range(arguments, &o->first, &o->last) && parse_camera(arguments, o) &&
        cli_integer(arguments, "every", 1, INT32_MAX, 1, &o->every) &&
        cli_integer(arguments, "turntable", 2, 100000, 0, &o->turntable) &&
        cli_integer(arguments, "still", 0, INT64_MAX, -1, &o->still) && parse_film(arguments, o) &&
        cli_integer(arguments, "samples", 1, 1000000, 0, &o->samples) &&
        parse_positive(arguments, "seconds", TL_UNIT_TIME, 0.01, 1e6, &o->seconds) &&
        cli_integer(arguments, "threads", 1, 4096, 0, &threads);
    o->threads = good ? (int)threads : 1;
    if (good && o->still >= 0)
        o->first = o->last = o->still;
    return good;
}
