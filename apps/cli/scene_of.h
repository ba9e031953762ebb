/* Loading the scene that a command line names, with the changes it asks for. */
#ifndef CLI_SCENE_OF_H
#define CLI_SCENE_OF_H

#include "command.h"

#include "tallow/tallow.h"

/* The overrides of a command line: --set as given, --spacing, --until, --no-film and --no-plots as
 * what they stand for. Ends with a NULL. Free with cli_overrides_free. NULL when out of memory. */
char **cli_overrides(const cli_arguments *arguments, size_t *count);
void cli_overrides_free(char **overrides);

/* Loads the scene of the first word. Findings go to `findings`, which the caller clears. */
tl_status cli_load_scene(const cli_arguments *arguments, tl_diagnostics *findings, tl_scene **out,
                         tl_error *error);

/* "out/dam-break" for "scenes/dam-break.yaml". */
void cli_default_folder(const char *scene, char *out, size_t size);

#endif
