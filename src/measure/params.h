/* What a scene measures. Rows of these are written to measures.csv (run/). */
#ifndef TL_MEASURE_PARAMS_H
#define TL_MEASURE_PARAMS_H

#include "base/param.h"
#include "boundary/wall.h"

typedef enum tl_measure_kind {
    TL_MEASURE_POINT,
    TL_MEASURE_LINE,
    TL_MEASURE_PLANE,
    TL_MEASURE_BODY,
    TL_MEASURE_MATERIAL,
    TL_MEASURE_WALL,
    TL_MEASURE_BOX,
    TL_MEASURE_SPHERE,
    TL_MEASURE_ALL,
} tl_measure_kind;

typedef struct tl_probe_line_def {
    double from[3], to[3]; /* m */
    int64_t points;
} tl_probe_line_def;

typedef struct tl_probe_plane_def {
    double through[3]; /* m */
    double normal[3];  /* any length */
    double radius;     /* m; 0: without end */
} tl_probe_plane_def;

/* At most one of the places. */
typedef struct tl_measure_def {
    char *name;
    char *field; /* of the particles, or a component: velocity_x; NULL: none */
    double point[3];
    tl_probe_line_def line;
    tl_probe_plane_def plane;
    char *body, *material, *wall; /* names; NULL: not given */
    tl_box_def box;
    tl_sphere_def sphere;
    bool has_point, has_line, has_plane, has_body, has_material, has_wall, has_box, has_sphere;
    int kind;     /* tl_measure_kind; follows */
    size_t index; /* of the body, material, wall or gate; follows */
} tl_measure_def;

extern const tl_param_table tl_measure_table, tl_probe_line_table, tl_probe_plane_table;

#endif
