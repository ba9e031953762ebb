/* Findings of one load: collected for the caller, the first error turned into a tl_error. */
#ifndef TL_SCENE_REPORT_H
#define TL_SCENE_REPORT_H

#include "scene/yaml.h"

/* Keeps at most so many findings; the last one then says that there are more. */
enum { TL_REPORT_MOST = 100 };

typedef struct tl_report {
    tl_diagnostics *list;
    bool no_memory; /* something could not be kept */
} tl_report;

/* Notes an error at `at` (NULL: nowhere). `hint` may be NULL. */
void tl_report_error(tl_report *report, const tl_yaml_node *at, const char *hint, const char *what,
                     ...) TL_PRINTF(4, 5);

/* Notes a warning. */
void tl_report_warning(tl_report *report, const tl_yaml_node *at, const char *hint,
                       const char *what, ...) TL_PRINTF(4, 5);

/* Notes what tl_yaml_parse said of `source`. */
void tl_report_yaml(tl_report *report, const tl_yaml_source *source,
                    const tl_yaml_problem *problem);

/* TL_OK without errors; otherwise fills *error from the first one. */
tl_status tl_report_status(const tl_report *report, tl_error *error);

#endif
