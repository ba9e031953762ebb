/* Materials of the library in a scene's tree: `like: NAME` is replaced by what NAME holds, and a
 * body may name a library material that the scene does not define. What remains names no file, so
 * that a scene that was written out needs no library. */
#ifndef TL_SCENE_LIBRARY_H
#define TL_SCENE_LIBRARY_H

#include "scene/report.h"

/* Defines the material `name` by the library when it has it and the tree does not. `at` is where
 * the name stands; NULL: at the tree itself. NULL: out of memory. */
const tl_yaml_node *tl_library_adopt(tl_arena *arena, const tl_yaml_node *root, const char *name,
                                     const tl_yaml_node *at);

/* The tree with all its materials complete. NULL: out of memory. */
const tl_yaml_node *tl_library_resolve(tl_arena *arena, tl_report *report,
                                       const tl_yaml_node *root);

#endif
