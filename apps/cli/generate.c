/* The completions of bash, zsh and fish, from the tables; man pages are in man.c. */
#include "command.h"
#include "terminal.h"

#include <string.h>

/* ---- bash ---------------------------------------------------------------------------------- */

static void print_bash_words(const cli_command *command) {
    switch (command->words) {
    case CLI_WORDS_NONE: return;
    case CLI_WORDS_SCENE:
        printf("$(compgen -f -X '!*.y*ml' -- \"$word\") $(compgen -d -- \"$word\") "
               "$(tallow list scenes --names 2>/dev/null)");
        return;
    case CLI_WORDS_FOLDER: printf("$(compgen -d -- \"$word\")"); return;
    case CLI_WORDS_CHOICE:
        for (const char *const *c = command->choices; *c; c++)
            printf("%s ", *c);
        return;
    case CLI_WORDS_COMMAND:
        for (size_t i = 0; i < cli_command_count; i++)
            printf("%s ", cli_commands[i].name);
        return;
    }
}

/* The words that an option's value can be, with spaces in between; false when it can be any. */
static bool print_choices(const cli_option *option, const char *before, const char *after) {
    if (!option->argument || !strchr(option->argument, '|'))
        return false;
    printf("%s", before);
    for (const char *c = option->argument; *c; c++)
        putchar(*c == '|' ? ' ' : *c);
    printf("%s", after);
    return true;
}

static void print_bash_choices(const cli_command *command) {
    for (const cli_option *const *o = command->options; *o; o++) {
        char before[128];
        snprintf(before, sizeof before, "    '%s --%s') COMPREPLY=($(compgen -W '", command->name,
                 (*o)->name);
        print_choices(*o, before, "' -- \"$word\")); return ;;\n");
    }
}

static void print_bash(void) {
    printf("# bash completion of tallow\n_tallow() {\n"
           "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} words\n"
           "    case $before in\n"
           "    -o|--output) COMPREPLY=($(compgen -d -- \"$word\")); return ;;\n"
           "    esac\n"
           "    case \"${COMP_WORDS[1]} $before\" in\n");
    for (size_t i = 0; i < cli_command_count; i++)
        print_bash_choices(&cli_commands[i]);
    printf("    esac\n"
           "    if ((COMP_CWORD == 1)); then\n        words=\"");
    for (size_t i = 0; i < cli_command_count; i++)
        printf("%s ", cli_commands[i].name);
    printf("\"\n    else\n        case ${COMP_WORDS[1]} in\n");
    for (size_t i = 0; i < cli_command_count; i++) {
        printf("        %s) words=\"", cli_commands[i].name);
        print_bash_words(&cli_commands[i]);
        printf(" --help");
        for (const cli_option *const *o = cli_commands[i].options; *o; o++)
            printf(" --%s", (*o)->name);
        printf("\" ;;\n");
    }
    printf("        esac\n    fi\n    COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n}\n"
           "complete -o filenames -F _tallow tallow\n");
}

/* ---- zsh ----------------------------------------------------------------------------------- */

/* A description inside '...[...]': brackets, colons and quotes would end it. */
static void print_zsh_text(const char *text) {
    for (; *text; text++)
        if (strchr("[]:\\", *text))
            printf("\\%c", *text);
        else if (*text == '\'')
            printf("'\\''");
        else
            putchar(*text);
}

static void print_zsh_option(const cli_option *option) {
    const bool repeats = strcmp(option->name, "set") == 0;
    printf(" \\\n            '%s--%s%s[", repeats ? "*" : "", option->name,
           option->argument ? "=" : "");
    print_zsh_text(option->doc);
    printf("]");
    if (option->argument) {
        printf(":%s:", option->argument);
        if (strcmp(option->argument, "DIR") == 0)
            printf("_files -/");
        else
            print_choices(option, "(", ")");
    }
    printf("'");
}

static void print_zsh_words(const cli_command *command) {
    switch (command->words) {
    case CLI_WORDS_NONE: return;
    case CLI_WORDS_SCENE:
        printf(" \\\n            '1:scene:{_files -g \"*.y(a|)ml\"; compadd -- "
               "${(f)\"$(tallow list scenes --names 2>/dev/null)\"}}'");
        return;
    case CLI_WORDS_FOLDER: printf(" \\\n            '1:folder:_files -/'"); return;
    case CLI_WORDS_CHOICE:
    case CLI_WORDS_COMMAND: break;
    }
    printf(" \\\n            '1:what:(");
    if (command->words == CLI_WORDS_CHOICE)
        for (const char *const *c = command->choices; *c; c++)
            printf("%s%s", c == command->choices ? "" : " ", *c);
    else
        for (size_t i = 0; i < cli_command_count; i++)
            printf("%s%s", i ? " " : "", cli_commands[i].name);
    printf(")'");
}

static void print_zsh(void) {
    printf("#compdef tallow\n_tallow() {\n    local -a commands=(\n");
    for (size_t i = 0; i < cli_command_count; i++) {
        printf("        '%s:", cli_commands[i].name);
        print_zsh_text(cli_commands[i].summary);
        printf("'\n");
    }
    printf("    )\n    if ((CURRENT == 2)); then\n        _describe command commands\n"
           "        return\n    fi\n    local name=$words[2]\n    shift words\n"
           "    ((CURRENT--))\n    case $name in\n");
    for (size_t i = 0; i < cli_command_count; i++) {
        printf("    %s)\n        _arguments '--help[Explain the command]'", cli_commands[i].name);
        for (const cli_option *const *o = cli_commands[i].options; *o; o++)
            print_zsh_option(*o);
        print_zsh_words(&cli_commands[i]);
        printf(" ;;\n");
    }
    printf("    esac\n}\n_tallow \"$@\"\n");
}

/* ---- fish ---------------------------------------------------------------------------------- */

static void print_fish_text(const char *text) {
    putchar('\'');
    for (; *text; text++) {
        if (*text == '\'' || *text == '\\')
            putchar('\\');
        putchar(*text);
    }
    putchar('\'');
}

static void print_fish_words(const cli_command *command) {
    const char *head = "complete -c tallow -n '__fish_seen_subcommand_from";
    switch (command->words) {
    case CLI_WORDS_NONE: return;
    case CLI_WORDS_SCENE:
        printf("%s %s' -F -a '(tallow list scenes --names 2>/dev/null)'\n", head, command->name);
        return;
    case CLI_WORDS_FOLDER:
        printf("%s %s' -a '(__fish_complete_directories)'\n", head, command->name);
        return;
    case CLI_WORDS_CHOICE:
    case CLI_WORDS_COMMAND: break;
    }
    printf("%s %s' -a '", head, command->name);
    if (command->words == CLI_WORDS_CHOICE)
        for (const char *const *c = command->choices; *c; c++)
            printf("%s ", *c);
    else
        for (size_t i = 0; i < cli_command_count; i++)
            printf("%s ", cli_commands[i].name);
    printf("'\n");
}

static void print_fish(void) {
    printf("# fish completion of tallow\ncomplete -c tallow -f\n");
    for (size_t i = 0; i < cli_command_count; i++) {
        const cli_command *command = &cli_commands[i];
        printf("complete -c tallow -n __fish_use_subcommand -a %s -d ", command->name);
        print_fish_text(command->summary);
        printf("\n");
        for (const cli_option *const *o = command->options; *o; o++) {
            printf("complete -c tallow -n '__fish_seen_subcommand_from %s' -l %s", command->name,
                   (*o)->name);
            if ((*o)->letter)
                printf(" -s %c", (*o)->letter);
            if ((*o)->argument)
                printf(strcmp((*o)->argument, "DIR") == 0 ? " -r -F" : " -x");
            print_choices(*o, " -a '", "'");
            printf(" -d ");
            print_fish_text((*o)->doc);
            printf("\n");
        }
        print_fish_words(command);
    }
}

int cli_generate(const cli_arguments *arguments) {
    static const struct {
        const char *name;
        void (*print)(void);
    } forms[] = {{"bash", print_bash}, {"zsh", print_zsh}, {"fish", print_fish}};
    const char *form = arguments->words[0];
    const char *page = arguments->word_count > 1 ? arguments->words[1] : NULL;
    if (strcmp(form, "man") == 0)
        return cli_print_man(page);
    for (size_t i = 0; i < sizeof forms / sizeof *forms && !page; i++)
        if (strcmp(forms[i].name, form) == 0) {
            forms[i].print();
            return CLI_DONE;
        }
    cli_complain("cannot generate %s; usage: tallow generate %s", page ? page : form,
                 arguments->command->usage);
    return CLI_BAD_INPUT;
}
