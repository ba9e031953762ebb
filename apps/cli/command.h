/* The commands of `tallow` as tables. A command and its options are declared once, in commands.c;
 * the parser, --help, the man page and the shell completions all read those tables. */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Exit codes. */
enum { CLI_DONE = 0, CLI_FAILED = 1, CLI_BAD_INPUT = 2, CLI_INTERRUPTED = 130 };

typedef struct cli_option {
    const char *name;     /* without the dashes */
    char letter;          /* 0: none */
    const char *argument; /* what stands for its value in help, or the words it can be: "svg|png";
                             NULL: a switch */
    const char *doc;
} cli_option;

/* Options that share a line of help. */
typedef struct cli_group {
    const char *first; /* its name */
    size_t count;
    const char *doc; /* of all together */
} cli_group;

/* What the words after a command name are, for completions. */
typedef enum cli_words {
    CLI_WORDS_NONE,
    CLI_WORDS_SCENE,
    CLI_WORDS_FOLDER,
    CLI_WORDS_CHOICE, /* one of `choices` */
    CLI_WORDS_COMMAND
} cli_words;

struct cli_arguments;

typedef struct cli_command {
    const char *name, *summary;
    const char *usage;                /* the words that follow the name: "SCENE [options]" */
    const char *text;                 /* what it does, a few lines of at most 78 columns */
    const cli_option *const *options; /* NULL-terminated */
    const cli_group *groups;          /* ended by a `first` of NULL; NULL: none */
    const char *const *examples;      /* pairs of command line and comment, NULL-terminated */
    size_t min_words, max_words;
    cli_words words;
    const char *const *choices; /* NULL-terminated */
    int (*call)(const struct cli_arguments *arguments);
} cli_command;

extern const cli_command cli_commands[];
extern const size_t cli_command_count;

/* A parsed command line. */
typedef struct cli_arguments {
    const cli_command *command;
    const char **words;
    size_t word_count;
    struct cli_given {
        const cli_option *option;
        const char *value; /* "" for a switch */
    } * given;
    size_t given_count;
} cli_arguments;

/* Parses what follows the command's name. False: the complaint is printed. `out` is freed by
 * cli_arguments_free either way. */
bool cli_parse(const cli_command *command, int count, char **text, cli_arguments *out);
void cli_arguments_free(cli_arguments *arguments);

/* The command called `name`; NULL after a complaint that names the nearest one. */
const cli_command *cli_find_command(const char *name);

/* The value of an option given on the command line (the last one counts), or NULL. */
const char *cli_value(const cli_arguments *arguments, const char *option);
bool cli_has(const cli_arguments *arguments, const char *option);

/* The whole number given for an option, or `otherwise`. False after a complaint unless it is in
 * [min, max]. */
bool cli_integer(const cli_arguments *arguments, const char *option, int64_t min, int64_t max,
                 int64_t otherwise, int64_t *out);

/* Help on standard output. */
void cli_print_overview(void);
void cli_print_help(const cli_command *command);

/* A man page on standard output: of the command called `name`, of scene files if it is "scene", of
 * all in short if it is NULL. Returns the exit code. */
int cli_print_man(const char *name);

/* The commands. */
int cli_run(const cli_arguments *arguments);
int cli_resume(const cli_arguments *arguments);
int cli_live(const cli_arguments *arguments);
int cli_sweep_command(const cli_arguments *arguments);
int cli_new(const cli_arguments *arguments);
int cli_check(const cli_arguments *arguments);
int cli_describe(const cli_arguments *arguments);
int cli_list(const cli_arguments *arguments);
int cli_info(const cli_arguments *arguments);
int cli_plot(const cli_arguments *arguments);
int cli_compare(const cli_arguments *arguments);
int cli_export(const cli_arguments *arguments);
int cli_surface(const cli_arguments *arguments);
int cli_render(const cli_arguments *arguments);
int cli_bench(const cli_arguments *arguments);
int cli_help(const cli_arguments *arguments);
int cli_version(const cli_arguments *arguments);
int cli_generate(const cli_arguments *arguments);

#endif
