/* See report.h. */
#include "scene/report.h"

#include "base/array.h"
#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Takes away a character that was cut in the middle. */
static void trim_utf8(char *text) {
    size_t length = strlen(text), start = length;
    while (start > 0 && ((unsigned char)text[start - 1] & 0xC0) == 0x80)
        start--;
    if (start == 0)
        return;
    const unsigned char lead = (unsigned char)text[start - 1];
    const size_t needed = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1;
    if (length - (start - 1) < needed)
        text[start - 1] = 0;
}

static void copy_line(char *out, size_t room, const tl_yaml_source *source, int line) {
    const char *at = source->text, *end = source->text + source->size;
    for (int k = 1; k < line && at; k++) {
        at = memchr(at, '\n', (size_t)(end - at));
        at = at ? at + 1 : NULL;
    }
    if (!at)
        return;
    size_t length = 0;
    while (at + length < end && at[length] && at[length] != '\n' && at[length] != '\r')
        length++;
    if (length > room - 1)
        length = room - 1;
    memcpy(out, at, length);
    out[length] = 0;
    trim_utf8(out);
}

static tl_diagnostic *add_finding(tl_report *report, bool is_warning) {
    tl_diagnostics *list = report->list;
    if (!is_warning)
        list->error_count++;
    if (list->count >= TL_REPORT_MOST)
        return NULL;
    if (TL_ARRAY_RESERVE(list->items, list->count, list->count + 1, NULL) != TL_OK) {
        report->no_memory = true;
        return NULL;
    }
    tl_diagnostic *d = &list->items[list->count++];
    *d = (tl_diagnostic){.is_warning = is_warning};
    if (list->count < TL_REPORT_MOST)
        return d;
    snprintf(d->what, sizeof d->what, "there are more findings than the %d before this one",
             TL_REPORT_MOST - 1);
    return NULL;
}

static void note(tl_report *report, bool is_warning, const tl_yaml_source *source, int line,
                 int column, const char *hint, const char *what, va_list arguments) {
    tl_diagnostic *d = add_finding(report, is_warning);
    if (!d)
        return;
    if (source) {
        snprintf(d->file, sizeof d->file, "%s", source->file);
        d->line = line;
        d->column = column;
        copy_line(d->source, sizeof d->source, source, line);
    }
    char sentence[1024];
    vsnprintf(sentence, sizeof sentence, what, arguments);
    trim_utf8(sentence);
    tl_copy_words(d->what, sizeof d->what, sentence);
    tl_copy_words(d->hint, sizeof d->hint, hint ? hint : "");
    trim_utf8(d->file);
}

void tl_report_error(tl_report *report, const tl_yaml_node *at, const char *hint, const char *what,
                     ...) {
    va_list arguments;
    va_start(arguments, what);
    note(report, false, at ? at->source : NULL, at ? at->line : 0, at ? at->column : 0, hint, what,
         arguments);
    va_end(arguments);
}

void tl_report_warning(tl_report *report, const tl_yaml_node *at, const char *hint,
                       const char *what, ...) {
    va_list arguments;
    va_start(arguments, what);
    note(report, true, at ? at->source : NULL, at ? at->line : 0, at ? at->column : 0, hint, what,
         arguments);
    va_end(arguments);
}

void tl_report_yaml(tl_report *report, const tl_yaml_source *source,
                    const tl_yaml_problem *problem) {
    const tl_yaml_node at = {.source = source, .line = problem->line, .column = problem->column};
    tl_report_error(report, &at, problem->hint, "%s", problem->what);
}

tl_status tl_report_status(const tl_report *report, tl_error *error) {
    if (report->no_memory)
        return tl_fail_memory(error, report->list->count, sizeof(tl_diagnostic));
    if (report->list->error_count == 0)
        return TL_OK;
    /* A flood of warnings may have left no room for the first error. */
    const tl_diagnostic *d = report->list->items;
    const tl_diagnostic *end = d + report->list->count;
    while (d < end - 1 && d->is_warning)
        d++;
    char where[sizeof error->where + 32];
    if (d->line)
        snprintf(where, sizeof where, "%s:%d:%d", d->file, d->line, d->column);
    else
        snprintf(where, sizeof where, "%s", d->file);
    return tl_fail(error, TL_BAD_INPUT, where, d->hint, "%s", d->what);
}

void tl_diagnostics_clear(tl_diagnostics *diagnostics) {
    if (!diagnostics)
        return;
    tl_array_free(diagnostics->items);
    *diagnostics = (tl_diagnostics){0};
}
