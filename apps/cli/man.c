/* Man pages from the tables: one of all commands in short, one a command, one of scene files. */
#include "base/text.h"
#include "command.h"
#include "scene/schema.h"
#include "terminal.h"

#include "tallow/tallow.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* `.TH` and `NAME`. Man pages have no date of their own: they change with the version. */
static void print_head(tl_text *out, const char *name, int section, const char *summary) {
    tl_text_print(out, ".TH \"");
    for (const char *c = name; *c; c++)
        tl_text_print(out, "%c", *c >= 'a' && *c <= 'z' ? *c - 'a' + 'A' : *c);
    tl_text_print(out, "\" %d \"\" \"Tallow %s\" \"%s\"\n.SH NAME\n", section, tl_version(),
                  section == 1 ? "User Commands" : "File Formats");
    tl_text_roff(out, name);
    tl_text_print(out, " \\- ");
    tl_text_roff(out, summary);
    tl_text_print(out, "\n");
}

static void print_link(tl_text *out, const char *name, int section, const char *end) {
    tl_text_print(out, ".BR ");
    tl_text_roff(out, name);
    tl_text_print(out, " (%d)%s\n", section, end);
}

static void print_option(tl_text *out, const cli_option *option) {
    tl_text_print(out, ".TP\n\\fB");
    if (option->letter)
        tl_text_print(out, "\\-%c\\fR, \\fB", option->letter);
    tl_text_print(out, "\\-\\-");
    tl_text_roff(out, option->name);
    tl_text_print(out, "\\fR");
    if (option->argument) {
        tl_text_print(out, " \\fI");
        tl_text_roff(out, option->argument);
        tl_text_print(out, "\\fR");
    }
    tl_text_print(out, "\n");
    tl_text_roff(out, option->doc);
    tl_text_print(out, ".\n");
}

static void print_examples(tl_text *out, const char *const *examples) {
    tl_text_print(out, ".SH EXAMPLES\n");
    for (const char *const *e = examples; *e; e += 2) {
        tl_text_print(out, ".PP\n.RS\n.nf\n");
        tl_text_roff(out, e[0]);
        if (*e[1]) {
            tl_text_print(out, "\n    # ");
            tl_text_roff(out, e[1]);
        }
        tl_text_print(out, "\n.fi\n.RE\n");
    }
}

static void print_command(tl_text *out, const cli_command *command) {
    char name[64];
    snprintf(name, sizeof name, "tallow-%s", command->name);
    print_head(out, name, 1, command->summary);
    tl_text_print(out, ".SH SYNOPSIS\n\\fBtallow %s\\fR ", command->name);
    tl_text_roff(out, command->usage);
    tl_text_print(out, "\n.SH DESCRIPTION\n");
    tl_text_roff(out, command->text);
    tl_text_print(out, "\n");
    if (command->options[0])
        tl_text_print(out, ".SH OPTIONS\n");
    for (const cli_option *const *o = command->options; *o; o++)
        print_option(out, *o);
    print_examples(out, command->examples);
    tl_text_print(out, ".SH SEE ALSO\n");
    print_link(out, "tallow", 1, ",");
    print_link(out, "tallow-scene", 5, "");
}

static void print_overview(tl_text *out) {
    print_head(out, "tallow", 1, "simulate things that melt and flow, with particles");
    tl_text_print(out, ".SH SYNOPSIS\n\\fBtallow\\fR \\fICOMMAND\\fR [\\fIoptions\\fR]\n"
                       ".SH DESCRIPTION\nA scene, written in YAML, is filled with particles and "
                       "run; a folder is left with frames, a film and the books of mass and "
                       "energy.\n.SH COMMANDS\n");
    for (size_t i = 0; i < cli_command_count; i++) {
        char name[64];
        snprintf(name, sizeof name, "tallow-%s", cli_commands[i].name);
        tl_text_print(out, ".TP\n");
        print_link(out, name, 1, "");
        tl_text_roff(out, cli_commands[i].summary);
        tl_text_print(out, ".\n");
    }
    tl_text_print(out, ".SH EXIT STATUS\n"
                       ".TP\n0\nDone.\n.TP\n1\nThe run failed; the message says how far it got.\n"
                       ".TP\n2\nBad input: a scene, an option or a folder.\n"
                       ".TP\n130\nInterrupted; the message says how to go on.\n");
    tl_text_print(out, ".SH ENVIRONMENT\n"
                       ".TP\n\\fBTALLOW_PATH\\fR\nFolders, with colons in between, that hold "
                       "scenes/ and materials/ of your own.\n"
                       ".TP\n\\fBNO_COLOR\\fR\nWhen set, nothing is printed in colour.\n");
    tl_text_print(out, ".SH SEE ALSO\n");
    print_link(out, "tallow-scene", 5, "");
}

static void print_scene(tl_text *out) {
    print_head(out, "tallow-scene", 5, "what a Tallow scene can say");
    tl_text_print(out, ".SH DESCRIPTION\nA scene is a YAML file. Numbers may carry units "
                       "(2 cm, 1 mPa\\(pcs); bare numbers are SI, temperatures in \\(deC. The "
                       "file is a mapping with the keys of the table\n.B scene\nbelow; the other "
                       "tables are what its keys are made of.\n.PP\n.RS\n.nf\n"
                       "spacing: 2 cm\nduration: 1 s\nbodies:\n"
                       "  \\- name: block\n    material: water\n"
                       "    box: {from: [0, 0, 0], to: [20 cm, 20 cm, 20 cm]}\n"
                       "walls:\n  \\- {name: floor, plane: z, at: 0}\n"
                       ".fi\n.RE\n.SH TABLES\n");
    tl_schema_describe(NULL, TL_DESCRIBE_ROFF, out, NULL);
    tl_text_print(out, ".SH SEE ALSO\n");
    print_link(out, "tallow-check", 1, ",");
    print_link(out, "tallow-describe", 1, ",");
    print_link(out, "tallow-run", 1, "");
}

int cli_print_man(const char *name) {
    tl_text page = {0};
    /* An unknown name is complained of where commands are found. */
    if (!name)
        print_overview(&page);
    else if (strcmp(name, "scene") == 0)
        print_scene(&page);
    else if (cli_find_command(name))
        print_command(&page, cli_find_command(name));
    const bool printed = page.bytes && !page.failed;
    if (printed)
        fwrite(page.bytes, 1, page.length, stdout);
    else if (page.failed)
        cli_complain("out of memory");
    free(page.bytes);
    return printed ? CLI_DONE : page.failed ? CLI_FAILED : CLI_BAD_INPUT;
}
