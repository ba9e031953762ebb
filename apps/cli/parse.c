/* Command lines to values, by the tables. Long options may be written --name value or --name=value
 * and cut short as long as they stay unique; letters may be joined: -qf, -oDIR. */
#include "base/text.h"
#include "command.h"
#include "terminal.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NAMES = 64 };

const cli_command *cli_find_command(const char *name) {
    const char *names[MOST_NAMES];
    for (size_t i = 0; i < cli_command_count; i++) {
        if (strcmp(cli_commands[i].name, name) == 0)
            return &cli_commands[i];
        names[i] = cli_commands[i].name;
    }
    const char *nearest = tl_nearest_word(name, names, cli_command_count);
    if (nearest)
        cli_complain("there is no command %s; did you mean %s?", name, nearest);
    else
        cli_complain("there is no command %s; `tallow help` lists them", name);
    return NULL;
}

/* The option whose name begins with the `length` bytes of `name`: exactly it, or the only one. */
static const cli_option *find_long(const cli_command *command, const char *name, size_t length) {
    const cli_option *found = NULL;
    const char *names[MOST_NAMES] = {"help"};
    size_t matches = 0, count = 1;
    for (const cli_option *const *o = command->options; *o; o++) {
        names[count++] = (*o)->name;
        if (strncmp((*o)->name, name, length) != 0)
            continue;
        if (strlen((*o)->name) == length)
            return *o;
        found = *o;
        matches++;
    }
    if (matches == 1 && length > 1)
        return found;
    char word[64];
    snprintf(word, sizeof word, "%.*s", (int)length, name);
    const char *nearest = tl_nearest_word(word, names, count);
    if (nearest)
        cli_complain("%s has no option --%s; did you mean --%s?", command->name, word, nearest);
    else
        cli_complain("%s has no option --%s; `tallow help %s` lists them", command->name, word,
                     command->name);
    return NULL;
}

static const cli_option *find_letter(const cli_command *command, char letter) {
    for (const cli_option *const *o = command->options; *o; o++)
        if ((*o)->letter == letter)
            return *o;
    cli_complain("%s has no option -%c; `tallow help %s` lists them", command->name, letter,
                 command->name);
    return NULL;
}

/* The words still to come; options take their values from here. */
typedef struct reader {
    char **text;
    int count, next;
} reader;

static bool give(cli_arguments *out, const cli_option *option, const char *value, reader *in) {
    if (option->argument && !value) {
        if (in->next >= in->count) {
            cli_complain("--%s needs a value: --%s %s", option->name, option->name,
                         option->argument);
            return false;
        }
        value = in->text[in->next++];
    } else if (!option->argument && value) {
        cli_complain("--%s takes no value", option->name);
        return false;
    }
    out->given[out->given_count++] = (struct cli_given){option, value ? value : ""};
    return true;
}

static bool take_long(cli_arguments *out, const char *name, reader *in) {
    const char *equals = strchr(name, '=');
    const size_t length = equals ? (size_t)(equals - name) : strlen(name);
    const cli_option *option = find_long(out->command, name, length);
    return option && give(out, option, equals ? equals + 1 : NULL, in);
}

static bool take_letters(cli_arguments *out, const char *letters, reader *in) {
    for (; *letters; letters++) {
        const cli_option *option = find_letter(out->command, *letters);
        if (!option)
            return false;
        if (option->argument)
            return give(out, option, letters[1] ? letters + 1 : NULL, in);
        if (!give(out, option, NULL, in))
            return false;
    }
    return true;
}

static bool check_words(const cli_arguments *out) {
    const cli_command *command = out->command;
    if (out->word_count < command->min_words) {
        cli_complain("too few words; usage: tallow %s %s", command->name, command->usage);
        return false;
    }
    if (out->word_count > command->max_words) {
        cli_complain("what is %s? usage: tallow %s %s", out->words[command->max_words],
                     command->name, command->usage);
        return false;
    }
    return true;
}

bool cli_parse(const cli_command *command, int count, char **text, cli_arguments *out) {
    const size_t letters = count > 0 ? strlen(text[0]) : 0; /* -qf gives two from one word */
    size_t most = letters + 1;
    for (int i = 1; i < count; i++)
        most += strlen(text[i]) + 1;
    *out = (cli_arguments){.command = command,
                           .words = calloc(most, sizeof *out->words),
                           .given = calloc(most, sizeof *out->given)};
    if (!out->words || !out->given) {
        cli_complain("no memory for the command line");
        return false;
    }
    reader in = {text, count, 0};
    bool options_end = false;
    while (in.next < count) {
        const char *word = text[in.next++];
        bool good = true;
        if (options_end || word[0] != '-' || !word[1])
            out->words[out->word_count++] = word;
        else if (strcmp(word, "--") == 0)
            options_end = true;
        else
            good =
                word[1] == '-' ? take_long(out, word + 2, &in) : take_letters(out, word + 1, &in);
        if (!good)
            return false;
    }
    return check_words(out);
}

void cli_arguments_free(cli_arguments *arguments) {
    free(arguments->words);
    free(arguments->given);
}

const char *cli_value(const cli_arguments *arguments, const char *option) {
    for (size_t i = arguments->given_count; i-- > 0;)
        if (strcmp(arguments->given[i].option->name, option) == 0)
            return arguments->given[i].value;
    return NULL;
}

bool cli_has(const cli_arguments *arguments, const char *option) {
    return cli_value(arguments, option) != NULL;
}

bool cli_integer(const cli_arguments *arguments, const char *option, int64_t min, int64_t max,
                 int64_t otherwise, int64_t *out) {
    const char *text = cli_value(arguments, option);
    *out = otherwise;
    if (!text)
        return true;
    char *end;
    errno = 0;
    *out = strtoll(text, &end, 10);
    if (!errno && end != text && !*end && *out >= min && *out <= max)
        return true;
    cli_complain("--%s %s: expected a whole number from %" PRId64 " to %" PRId64, option, text, min,
                 max);
    return false;
}
