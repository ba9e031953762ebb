/* Help, from the tables: one screen a command, taught by example. */
#include "base/simd.h"
#include "command.h"
#include "terminal.h"

#include <string.h>

void cli_print_overview(void) {
    const cli_style style = cli_style_of(stdout);
    printf("%stallow%s simulates things that melt and flow, with particles.\n\n", style.bold,
           style.reset);
    printf("%susage:%s tallow COMMAND [options]\n\n", style.bold, style.reset);
    for (size_t i = 0; i < cli_command_count; i++)
        printf("  %s%-10s%s%s\n", style.cyan, cli_commands[i].name, style.reset,
               cli_commands[i].summary);
    printf("\n%sto begin:%s\n", style.bold, style.reset);
    printf("  tallow run dam-break        %s# leaves out/dam-break/film.mp4%s\n", style.dim,
           style.reset);
    printf("  tallow help run             %s# the options of a command%s\n", style.dim,
           style.reset);
    printf("\nExit codes: 0 done, 1 the run failed, 2 bad input, 130 interrupted.\n");
}

static const cli_group *find_group(const cli_command *command, const cli_option *first) {
    for (const cli_group *g = command->groups; g && g->first; g++)
        if (strcmp(g->first, first->name) == 0)
            return g;
    return NULL;
}

/* Prints an option, or those that share its line, and returns how many there are. */
static size_t print_options(const cli_style *style, const cli_command *command,
                            const cli_option *const *options) {
    const cli_group *group = find_group(command, *options);
    const size_t count = group ? group->count : 1;
    char left[96];
    int length = (*options)->letter ? snprintf(left, sizeof left, "-%c, ", (*options)->letter)
                                    : snprintf(left, sizeof left, "    ");
    for (size_t i = 0; i < count; i++) {
        const char *argument = options[i]->argument ? options[i]->argument : "";
        length += snprintf(left + length, sizeof left - (size_t)length, "%s--%s%s%s", i ? ", " : "",
                           options[i]->name, *argument ? " " : "", argument);
    }
    printf("  %s%-25s%s%s%s\n", style->cyan, left, style->reset, length < 25 ? "" : "  ",
           group ? group->doc : (*options)->doc);
    return count;
}

void cli_print_help(const cli_command *command) {
    const cli_style style = cli_style_of(stdout);
    printf("%stallow %s%s: %s\n\n", style.bold, command->name, style.reset, command->summary);
    printf("%susage:%s tallow %s %s\n\n%s\n", style.bold, style.reset, command->name,
           command->usage, command->text);
    if (command->options[0])
        printf("\n%soptions:%s\n", style.bold, style.reset);
    for (const cli_option *const *o = command->options; *o;)
        o += print_options(&style, command, o);
    printf("\n%sexamples:%s\n", style.bold, style.reset);
    for (const char *const *e = command->examples; *e; e += 2)
        if (*e[1])
            printf("  %s\n      %s# %s%s\n", e[0], style.dim, e[1], style.reset);
        else
            printf("  %s\n", e[0]);
}

int cli_help(const cli_arguments *arguments) {
    if (arguments->word_count == 0) {
        cli_print_overview();
        return CLI_DONE;
    }
    const cli_command *command = cli_find_command(arguments->words[0]);
    if (!command)
        return CLI_BAD_INPUT;
    cli_print_help(command);
    return CLI_DONE;
}

int cli_version(const cli_arguments *arguments) {
#ifdef __VERSION__
    const char *compiler = __VERSION__;
#else
    const char *compiler = "unknown compiler";
#endif
    if (cli_has(arguments, "json")) {
        printf("{\"tallow\": \"%s\", \"lanes\": %d, \"compiler\": ", tl_version(), TL_LANES);
        cli_print_json(stdout, compiler);
        printf("}\n");
    } else {
        printf("tallow %s (%d lane%s, compiler %s)\n", tl_version(), TL_LANES,
               TL_LANES == 1 ? "" : "s", compiler);
    }
    return CLI_DONE;
}
