/* `tallow sweep`: a scene with all combinations of some values. See sweep.h. */
#include "sweep.h"

#include "base/file.h"
#include "base/text.h"
#include "scene_of.h"
#include "terminal.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_RUNS = 10000, LONGEST_NAME = 200 };

/* ---- What there is to run ------------------------------------------------------------------ */

/* Cuts "a,[1,2],c" at the commas that are in no brackets and quotes; false when out of memory. */
static bool split_values(const char *text, cli_sweep_key *key) {
    int depth = 0;
    char quote = 0;
    const char *start = text;
    key->values = calloc(strlen(text) + 2, sizeof *key->values);
    for (const char *at = text; key->values; at++) {
        if (quote ? *at == quote : *at == '"' || *at == '\'')
            quote = quote ? 0 : *at;
        depth += !quote && strchr("[{(", *at ? *at : ' ') != NULL;
        depth -= !quote && strchr("]})", *at ? *at : ' ') != NULL;
        if (*at && (*at != ',' || depth > 0 || quote))
            continue;
        if (!(key->values[key->count++] = strndup(start, (size_t)(at - start))))
            return false;
        start = at + 1;
        if (!*at)
            return true;
    }
    return false;
}

static bool read_keys(const cli_arguments *arguments, cli_sweep *s) {
    s->keys = calloc(arguments->given_count + 1, sizeof *s->keys);
    for (size_t i = 0; s->keys && i < arguments->given_count; i++) {
        const struct cli_given *given = &arguments->given[i];
        const char *equals = strchr(given->value, '=');
        if (strcmp(given->option->name, "set") != 0)
            continue;
        cli_sweep_key *key = &s->keys[s->key_count++];
        if (!equals) {
            cli_complain("--set %s: expected KEY=VALUE,VALUE,...", given->value);
            return false;
        }
        key->key = strndup(given->value, (size_t)(equals - given->value));
        if (!key->key || !split_values(equals + 1, key)) {
            cli_complain("no memory for the command line");
            return false;
        }
        for (size_t v = 0; v < key->count; v++)
            if (!*key->values[v]) {
                cli_complain("--set %s: a value is missing between the commas", given->value);
                return false;
            }
    }
    return s->keys != NULL;
}

/* Names of folders have nothing that a shell would read. Only keys with several values are told. */
static void print_name(const cli_sweep *s, const size_t *at, size_t number, tl_text *out) {
    for (size_t k = 0; k < s->key_count; k++)
        if (s->keys[k].count > 1)
            tl_text_print(out, "%s%s=%s", out->length ? "_" : "", s->keys[k].key,
                          s->keys[k].values[at[k]]);
    if (out->length == 0)
        tl_text_print(out, "run");
    if (out->length > LONGEST_NAME) {
        out->length = 0;
        tl_text_print(out, "run-%05zu", number);
    }
    char *to = out->bytes;
    for (const char *c = out->bytes; c && *c; c++)
        if (!strchr("[]{}()\"'", *c))
            *to++ = strchr("/\\ \t*?&|;<>$`!#", *c) ? '-' : *c;
    if (to)
        *to = 0;
}

/* Options of the sweep that each run gets as they are. */
static const char *const passed_on[] = {"frames", "until", "spacing", "no-film", "no-plots"};

static bool is_passed_on(const char *option) {
    for (size_t i = 0; i < sizeof passed_on / sizeof *passed_on; i++)
        if (strcmp(passed_on[i], option) == 0)
            return true;
    return false;
}

static void add(cli_sweep_run *r, size_t *n, char *text) { r->arguments[(*n)++] = text; }

static void add_print(cli_sweep_run *r, size_t *n, const char *format, const char *a,
                      const char *b) {
    tl_text text = {0};
    tl_text_print(&text, format, a, b);
    add(r, n, text.bytes);
}

/* The words of `tallow run`, all allocated. */
static bool make_run(const cli_arguments *arguments, cli_sweep *s, const size_t *at,
                     cli_sweep_run *r) {
    tl_text name = {0};
    size_t n = 0;
    print_name(s, at, (size_t)(r - s->runs) + 1, &name);
    snprintf(r->folder, sizeof r->folder, "%s/%s", s->folder, name.bytes ? name.bytes : "");
    r->name = strrchr(r->folder, '/') + 1;
    free(name.bytes);
    r->arguments = calloc(8 + s->key_count + arguments->given_count, sizeof *r->arguments);
    r->values = calloc(s->key_count + 1, sizeof *r->values);
    if (!r->arguments || !r->values)
        return false;
    add(r, &n, strdup("tallow"));
    add(r, &n, strdup("run"));
    add(r, &n, strdup(s->scene));
    add_print(r, &n, "--output=%s%s", r->folder, "");
    for (size_t k = 0; k < s->key_count; k++) {
        r->values[k] = s->keys[k].values[at[k]];
        tl_text text = {0};
        tl_text_print(&text, "--set=%s=%s", s->keys[k].key, r->values[k]);
        add(r, &n, text.bytes);
    }
    for (size_t i = 0; i < arguments->given_count; i++)
        if (is_passed_on(arguments->given[i].option->name))
            add_print(r, &n, arguments->given[i].option->argument ? "--%s=%s" : "--%s%s",
                      arguments->given[i].option->name, arguments->given[i].value);
    add(r, &n, strdup("--quiet"));
    for (size_t i = 0; i < n; i++)
        if (!r->arguments[i])
            return false;
    return true;
}

/* All combinations; the last key changes fastest. */
static bool make_runs(const cli_arguments *arguments, cli_sweep *s) {
    size_t count = 1;
    for (size_t k = 0; k < s->key_count; k++) {
        count *= s->keys[k].count;
        if (count > MOST_RUNS) {
            cli_complain("more than %d combinations; leave out some values", MOST_RUNS);
            return false;
        }
    }
    s->runs = calloc(count + 1, sizeof *s->runs); /* one more, so that none is no special case */
    size_t *at = calloc(s->key_count + 1, sizeof *at);
    bool good = s->runs && at;
    for (; good && s->run_count < count; s->run_count++) {
        good = make_run(arguments, s, at, &s->runs[s->run_count]);
        for (size_t k = s->key_count; k-- > 0 && ++at[k] == s->keys[k].count;)
            at[k] = 0;
    }
    free(at);
    if (!good)
        cli_complain("no memory for %zu runs", count);
    return good;
}

static void free_sweep(cli_sweep *s) {
    for (size_t r = 0; r < s->run_count; r++) {
        cli_overrides_free(s->runs[r].arguments);
        free(s->runs[r].values);
    }
    for (size_t k = 0; s->keys && k < s->key_count; k++) {
        free(s->keys[k].key);
        cli_overrides_free(s->keys[k].values);
    }
    free(s->runs);
    free(s->keys);
}

/* ---- Before anything is started ------------------------------------------------------------ */

/* Two values that make one name would share a folder. */
static bool check_names(const cli_sweep *s) {
    for (size_t a = 0; a < s->run_count; a++)
        for (size_t b = 0; b < a; b++)
            if (strcmp(s->runs[a].name, s->runs[b].name) == 0) {
                cli_complain("two runs would be called %s; give each value once", s->runs[a].name);
                return false;
            }
    return true;
}

/* Every scene must load: an error shows at once, not after a night. */
static int check_scenes(const cli_sweep *s) {
    for (size_t r = 0; r < s->run_count; r++) {
        cli_arguments arguments;
        tl_diagnostics findings = {0};
        tl_scene *scene = NULL;
        tl_error error = {0};
        int count = 0;
        while (s->runs[r].arguments[count])
            count++;
        bool good =
            cli_parse(cli_find_command("run"), count - 2, s->runs[r].arguments + 2, &arguments);
        if (good && cli_load_scene(&arguments, &findings, &scene, &error) != TL_OK) {
            good = false;
            fprintf(stderr, "%s:\n", s->runs[r].name);
            if (findings.error_count > 0)
                cli_print_findings(stderr, &findings);
            else
                cli_complain_error(&error);
        }
        tl_scene_destroy(scene);
        tl_diagnostics_clear(&findings);
        cli_arguments_free(&arguments);
        if (!good)
            return CLI_BAD_INPUT;
    }
    return CLI_DONE;
}

tl_run_state cli_sweep_state(const cli_sweep_run *run, tl_run_result *result) {
    char path[TL_RUN_PATH + 16];
    *result = (tl_run_result){0};
    snprintf(path, sizeof path, "%s/result.json", run->folder);
    return tl_run_result_read(path, result, NULL) == TL_OK ? result->state : TL_RUN_UNKNOWN;
}

bool cli_sweep_is_done(const cli_sweep_run *run) {
    tl_run_result result;
    const tl_run_state state = cli_sweep_state(run, &result);
    return state == TL_RUN_FINISHED || state == TL_RUN_STOPPED;
}

/* ---- The command --------------------------------------------------------------------------- */

static void choose_folder(const cli_arguments *arguments, cli_sweep *s) {
    const char *given = cli_value(arguments, "output");
    char folder[512];
    cli_default_folder(s->scene, folder, sizeof folder - 16);
    if (given)
        snprintf(s->folder, sizeof s->folder, "%s", given);
    else
        snprintf(s->folder, sizeof s->folder, "%s-sweep", folder);
    for (size_t end = strlen(s->folder); end > 1 && s->folder[end - 1] == '/'; end--)
        s->folder[end - 1] = 0;
}

static int make_and_report(const cli_sweep *s) {
    bool interrupted = false;
    tl_error error = {0};
    if (tl_folder_make(s->folder, &error) != TL_OK) {
        cli_complain_error(&error);
        return CLI_FAILED;
    }
    const int made = cli_sweep_make(s, &interrupted);
    const int told = cli_sweep_report(s);
    if (interrupted) {
        fprintf(stderr, "to go on: the same command; what is finished is left alone\n");
        return CLI_INTERRUPTED;
    }
    return made != CLI_DONE ? made : told;
}

int cli_sweep_command(const cli_arguments *arguments) {
    cli_sweep s = {.scene = arguments->words[0], .quiet = cli_has(arguments, "quiet")};
    int code = CLI_BAD_INPUT;
    choose_folder(arguments, &s);
    if (cli_integer(arguments, "jobs", 1, 1024, 1, &s.jobs) &&
        cli_integer(arguments, "threads", 1, 4096, 0, &s.threads) && read_keys(arguments, &s) &&
        make_runs(arguments, &s) && check_names(&s))
        code = check_scenes(&s);
    if (code == CLI_DONE && cli_has(arguments, "slurm"))
        cli_sweep_print_slurm(&s);
    else if (code == CLI_DONE)
        code = make_and_report(&s);
    free_sweep(&s);
    return code;
}
