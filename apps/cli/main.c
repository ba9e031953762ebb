/* The command `tallow`: finds the command in the table and calls it. */
#include "command.h"
#include "terminal.h"

#include <errno.h>
#include <locale.h>
#include <signal.h>
#include <string.h>

/* Words that people try first. */
static const char *plain_name(const char *word) {
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)
        return "help";
    if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0)
        return "version";
    return word;
}

static bool asks_for_help(int count, char **text) {
    for (int i = 0; i < count && strcmp(text[i], "--") != 0; i++)
        if (strcmp(text[i], "--help") == 0 || strcmp(text[i], "-h") == 0)
            return true;
    return false;
}

static int dispatch(int count, char **text) {
    if (count < 2) {
        cli_print_overview();
        return CLI_BAD_INPUT;
    }
    const cli_command *command = cli_find_command(plain_name(text[1]));
    if (!command)
        return CLI_BAD_INPUT;
    if (asks_for_help(count - 2, text + 2)) {
        cli_print_help(command);
        return CLI_DONE;
    }
    cli_arguments arguments;
    const int code = cli_parse(command, count - 2, text + 2, &arguments) ? command->call(&arguments)
                                                                         : CLI_BAD_INPUT;
    cli_arguments_free(&arguments);
    return code;
}

int main(int count, char **text) {
    setlocale(LC_CTYPE, "");  /* for the progress bar; numbers stay as they are in C */
    signal(SIGXFSZ, SIG_IGN); /* a file that may not grow is an error like a full disk */
    const int code = dispatch(count, text);
    errno = 0;
    if (fflush(stdout) != 0 || ferror(stdout)) {
        cli_complain("cannot write to standard output: %s", strerror(errno));
        return code ? code : CLI_FAILED;
    }
    return code;
}
