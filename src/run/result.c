/* See result.h. */
#include "run/result.h"

#include "base/file.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *const state_names[] = {"unknown", "finished", "stopped", "interrupted",
                                          "failed"};

const char *tl_run_state_name(tl_run_state state) { return state_names[state]; }

/* A JSON string; control characters become spaces. */
static void print_string(FILE *stream, const char *text) {
    fputc('"', stream);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            fputc('\\', stream);
        fputc((unsigned char)*text < ' ' ? ' ' : *text, stream);
    }
    fputc('"', stream);
}

/* One a line, so that they are read back line by line. */
static void print_warnings(FILE *stream, const tl_run_result *r) {
    fprintf(stream, ",\n  \"warnings\": [");
    for (size_t i = 0; i < r->warning_count; i++) {
        const tl_warning *w = &r->warnings[i];
        fprintf(stream, "%s\n    {\"code\": \"%s\", \"first_time\": %.9g, \"worst\": %.6g", //
                i ? "," : "", w->code, w->first_time, w->worst);
        fprintf(stream, ", \"limit\": %.6g, \"count\": %" PRIu64 ", \"message\": ", w->limit,
                w->count);
        print_string(stream, w->message);
        fputc('}', stream);
    }
    fprintf(stream, "%s]", r->warning_count > 0 ? "\n  " : "");
}

tl_status tl_run_result_write(const char *path, const tl_run_result *r, tl_error *error) {
    tl_file file;
    TL_TRY(tl_file_begin(&file, path, error));
    fprintf(file.stream, "{\n  \"tallow\": \"%s\",\n  \"state\": \"%s\",\n", tl_version(),
            state_names[r->state]);
    fprintf(file.stream, "  \"frame\": %" PRId64 ",\n  \"frames\": %" PRId64 ",\n", r->frame,
            r->frame_count);
    fprintf(file.stream, "  \"time\": %.17g,\n  \"duration\": %.17g,\n", r->time, r->duration);
    fprintf(file.stream, "  \"steps\": %" PRIu64 ",\n  \"rejected\": %" PRIu64 ",\n", r->steps,
            r->rejected);
    fprintf(file.stream, "  \"particles\": %" PRIu64 ",\n  \"hash\": \"%016" PRIx64 "\",\n",
            r->particles, r->hash);
    fprintf(file.stream, "  \"wall_time\": %.3f,\n  \"updates_per_second\": %.6g,\n", r->wall_time,
            r->updates_per_second);
    fprintf(file.stream, "  \"threads\": %d,\n  \"message\": ", r->threads);
    print_string(file.stream, r->message);
    print_warnings(file.stream, r);
    fprintf(file.stream, "\n}\n");
    return tl_file_commit(&file, error);
}

/* What follows `"key": ` in the text of tl_run_result_write; "" when the key is not there. */
static const char *find(const char *text, const char *key) {
    char quoted[64];
    snprintf(quoted, sizeof quoted, "\n  \"%s\": ", key);
    const char *at = strstr(text, quoted);
    return at ? at + strlen(quoted) : "";
}

static void copy_string(const char *from, char *to, size_t size) {
    size_t length = 0;
    if (*from == '"')
        for (from++; *from && *from != '"' && length + 1 < size; from++) {
            if (*from == '\\' && from[1])
                from++;
            to[length++] = *from;
        }
    to[length] = 0;
}

/* A member of the warning that a line holds; "" when it is not there. */
static const char *member(const char *line, const char *key) {
    char quoted[64];
    snprintf(quoted, sizeof quoted, "\"%s\": ", key);
    const char *at = strstr(line, quoted);
    return at ? at + strlen(quoted) : "";
}

static void read_warnings(const char *text, tl_run_result *out) {
    static const char start[] = "\n    {\"code\": ";
    const char *line = strstr(text, "\n  \"warnings\": [");
    if (line)
        line = strstr(line, start);
    for (; line && out->warning_count < TL_MOST_WARNINGS; line = strstr(line, start)) {
        tl_warning *w = &out->warnings[out->warning_count++];
        line++;
        copy_string(member(line, "code"), w->code, sizeof w->code);
        copy_string(member(line, "message"), w->message, sizeof w->message);
        w->first_time = strtod(member(line, "first_time"), NULL);
        w->worst = strtod(member(line, "worst"), NULL);
        w->limit = strtod(member(line, "limit"), NULL);
        w->count = strtoull(member(line, "count"), NULL, 10);
    }
}

tl_status tl_run_result_read(const char *path, tl_run_result *out, tl_error *error) {
    *out = (tl_run_result){0};
    if (!tl_file_exists(path))
        return TL_OK;
    char *text, word[32];
    size_t size;
    TL_TRY(tl_file_read(path, 1 << 16, &text, &size, error));
    copy_string(find(text, "state"), word, sizeof word);
    for (size_t i = 0; i < sizeof state_names / sizeof *state_names; i++)
        if (strcmp(word, state_names[i]) == 0)
            out->state = (tl_run_state)i;
    out->frame = strtoll(find(text, "frame"), NULL, 10);
    out->frame_count = strtoll(find(text, "frames"), NULL, 10);
    out->time = strtod(find(text, "time"), NULL);
    out->duration = strtod(find(text, "duration"), NULL);
    out->steps = strtoull(find(text, "steps"), NULL, 10);
    out->rejected = strtoull(find(text, "rejected"), NULL, 10);
    out->particles = strtoull(find(text, "particles"), NULL, 10);
    copy_string(find(text, "hash"), word, sizeof word);
    out->hash = strtoull(word, NULL, 16);
    out->wall_time = strtod(find(text, "wall_time"), NULL);
    out->updates_per_second = strtod(find(text, "updates_per_second"), NULL);
    out->threads = (int)strtol(find(text, "threads"), NULL, 10);
    copy_string(find(text, "message"), out->message, sizeof out->message);
    read_warnings(text, out);
    free(text);
    return TL_OK;
}
