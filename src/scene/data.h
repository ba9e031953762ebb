/* The data that comes with Tallow: scenes/NAME.yaml and materials/NAME.yaml in the folders of
 * $TALLOW_PATH (colons between), the source tree and the installed data folder, in this order. */
#ifndef TL_SCENE_DATA_H
#define TL_SCENE_DATA_H

#include "base/error.h"

/* The path of a data file, freed with free(). TL_BAD_INPUT says where it was looked for and the
 * nearest name. kind  "scenes" or "materials" */
tl_status tl_data_find(const char *kind, const char *name, char **path, tl_error *error);

/* The path of a file that a scene reads, freed with free(): beside the scene, which is the file
 * `beside`; in KIND of the folders above; or in folders of other packages that are known to hold
 * such files. TL_BAD_INPUT says where it was looked for and the nearest name.
 * kind  "meshes", "fonts" or "images" */
tl_status tl_data_find_file(const char *kind, const char *name, const char *beside, char **path,
                            tl_error *error);

/* The names there are, sorted, ended by NULL; freed with tl_data_free_list. */
tl_status tl_data_list(const char *kind, char ***names, size_t *count, tl_error *error);
void tl_data_free_list(char **names);

#endif
