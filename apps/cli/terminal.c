/* Complaints, findings and numbers. See terminal.h. */
#include "terminal.h"

#include "command.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

cli_style cli_style_of(FILE *stream) {
    const char *no_colour = getenv("NO_COLOR"), *terminal = getenv("TERM");
    if (!isatty(fileno(stream)) || (no_colour && *no_colour) ||
        (terminal && strcmp(terminal, "dumb") == 0))
        return (cli_style){"", "", "", "", "", "", ""};
    return (cli_style){"\033[1m",  "\033[2m",  "\033[1;31m", "\033[1;33m",
                       "\033[32m", "\033[36m", "\033[0m"};
}

void cli_complain(const char *format, ...) {
    const cli_style style = cli_style_of(stderr);
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "%stallow:%s ", style.red, style.reset);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
}

void cli_complain_error(const tl_error *error) {
    const cli_style style = cli_style_of(stderr);
    fprintf(stderr, "%stallow:%s %s%s%s\n", style.red, style.reset, error->where,
            *error->where ? ": " : "", error->what);
    if (*error->fix)
        fprintf(stderr, "  %s\n", error->fix);
}

int cli_exit_code(tl_status status) {
    switch (status) {
    case TL_OK: return CLI_DONE;
    case TL_BAD_INPUT: return CLI_BAD_INPUT;
    case TL_INTERRUPTED: return CLI_INTERRUPTED;
    case TL_NO_MEMORY:
    case TL_IO_FAILED:
    case TL_DIVERGED:
    case TL_DOUBTED: break;
    }
    return CLI_FAILED;
}

/* The source line with a caret under its column, which counts characters, not bytes. */
static void print_caret(FILE *stream, const cli_style *style, const tl_diagnostic *finding) {
    fprintf(stream, "    %s\n    ", finding->source);
    const char *c = finding->source;
    for (int column = 1; column < finding->column && *c; column++) {
        fputc(*c == '\t' ? '\t' : ' ', stream);
        do
            c++;
        while (((unsigned char)*c & 0xC0) == 0x80);
    }
    fprintf(stream, "%s^%s\n", style->green, style->reset);
}

static void print_finding(FILE *stream, const cli_style *style, const tl_diagnostic *finding) {
    fprintf(stream, "%s%s", style->bold, finding->file);
    if (finding->line > 0)
        fprintf(stream, ":%d:%d", finding->line, finding->column);
    fprintf(stream, ":%s %s%s:%s %s\n", style->reset,
            finding->is_warning ? style->yellow : style->red,
            finding->is_warning ? "warning" : "error", style->reset, finding->what);
    if (finding->line > 0 && *finding->source)
        print_caret(stream, style, finding);
    if (*finding->hint)
        fprintf(stream, "    %s\n", finding->hint);
}

void cli_print_findings(FILE *stream, const tl_diagnostics *findings) {
    const cli_style style = cli_style_of(stream);
    for (size_t i = 0; i < findings->count; i++)
        print_finding(stream, &style, &findings->items[i]);
    const size_t errors = findings->error_count, warnings = findings->count - errors;
    if (errors > 0)
        fprintf(stream, "%zu error%s%s", errors, errors == 1 ? "" : "s", warnings ? ", " : "\n");
    if (warnings > 0)
        fprintf(stream, "%zu warning%s\n", warnings, warnings == 1 ? "" : "s");
}

char *cli_count(double number, char *out) {
    static const char prefixes[] = {0, 'k', 'M', 'G', 'T'};
    size_t prefix = 0;
    for (; number >= (prefix == 0 ? 9999.5 : 999.5) && prefix + 1 < sizeof prefixes; prefix++)
        number /= 1000;
    const int digits = prefix == 0 || number >= 99.95 ? 0 : number >= 9.995 ? 1 : 2;
    snprintf(out, CLI_SHORT, "%.*f%.1s", digits, number, &prefixes[prefix]);
    return out;
}

char *cli_clock(double seconds, char *out) {
    if (!(seconds >= 0) || seconds > 1e9) {
        snprintf(out, CLI_SHORT, "-:--");
    } else if (seconds < 9.95) {
        snprintf(out, CLI_SHORT, "%.1f s", seconds);
    } else {
        const long s = lround(seconds);
        if (s < 3600)
            snprintf(out, CLI_SHORT, "%ld:%02ld", s / 60, s % 60);
        else
            snprintf(out, CLI_SHORT, "%ld:%02ld:%02ld", s / 3600, s / 60 % 60, s % 60);
    }
    return out;
}

char *cli_bytes(double bytes, char *out) {
    static const char *const units[] = {"B", "kB", "MB", "GB", "TB"};
    size_t unit = 0;
    for (; bytes >= 999.5 && unit + 1 < sizeof units / sizeof *units; unit++)
        bytes /= 1000;
    snprintf(out, CLI_SHORT, "%.*f %s", unit > 0 && bytes < 9.95 ? 1 : 0, bytes, units[unit]);
    return out;
}

void cli_print_json(FILE *stream, const char *text) {
    fputc('"', stream);
    for (; *text; text++) {
        const unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            fprintf(stream, "\\%c", c);
        else if (c < ' ')
            fprintf(stream, "\\u%04x", c);
        else
            fputc(c, stream);
    }
    fputc('"', stream);
}
