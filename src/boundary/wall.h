/* Walls: planes and boxes that hold particles in or keep them out. */
#ifndef TL_BOUNDARY_WALL_H
#define TL_BOUNDARY_WALL_H

#include "base/schedule.h"
#include "math/vec3.h"
#include "mesh/form.h"
#include "mesh/solid.h"

/* An axis with a sign, as in files: none, x, y, z, -x, -y, -z. */
typedef enum tl_side {
    TL_SIDE_NONE,
    TL_SIDE_X,
    TL_SIDE_Y,
    TL_SIDE_Z,
    TL_SIDE_MINUS_X,
    TL_SIDE_MINUS_Y,
    TL_SIDE_MINUS_Z,
} tl_side;

extern const char *const tl_side_names[]; /* NULL-terminated */

/* The unit vector of a side; zero for none. */
static inline tl_vec3 tl_side_normal(int side) {
    const double sign = side == TL_SIDE_NONE ? 0 : side >= TL_SIDE_MINUS_X ? -1 : 1;
    const int axis = (side + 2) % 3;
    return (tl_vec3){axis == 0 ? sign : 0, axis == 1 ? sign : 0, axis == 2 ? sign : 0};
}

typedef enum tl_contact { TL_CONTACT_NO_SLIP, TL_CONTACT_FREE_SLIP } tl_contact;

/* An axis-aligned box. */
typedef struct tl_box_def {
    double from[3], to[3]; /* m */
} tl_box_def;

typedef struct tl_sphere_def {
    double center[3], radius; /* m */
} tl_sphere_def;

/* Unevenness of a wall on a scale that particles do not see. */
typedef struct tl_roughness_def {
    double height; /* m: root of the mean square about the mean surface, s */
    double period; /* m: from peak to peak, λ */
} tl_roughness_def;

/* The slip length that it leaves to matter which slides along it without friction: what flows over
 * hills at the speed u is strained, which takes the traction η u k³ s², k = 2π / λ, to leading
 * order in k s (Panzer, Liu & Einzel 1992, for waves across the flow: twice as much; here they run
 * in all directions, and each counts by the square of its cosine). */
static inline double tl_roughness_length(const tl_roughness_def *r) {
    const double k = 2 * 3.14159265358979323846 / r->period;
    return 1 / (k * k * k * r->height * r->height);
}

/* One wall as the scene gives it: exactly one of plane, normal (with through), box, sphere and the
 * forms. */
typedef struct tl_wall_def {
    char *name;
    int plane;         /* tl_side: the way its normal points, into the matter */
    double at;         /* m, along that axis */
    double normal[3];  /* of an oblique plane, into the matter; zero when not given */
    double through[3]; /* a point of the oblique plane */
    tl_box_def box;
    bool has_box;
    tl_sphere_def sphere; /* an obstacle: the matter is outside */
    bool has_sphere;
    tl_form_def form;
    bool hollow;     /* the matter is inside of the form */
    tl_mesh mesh;    /* of the form, or of a ball; its triangles face the matter */
    tl_solid *solid; /* of the mesh; both are owned by the scene */
    bool outside;    /* the matter is outside of the box: an obstacle, not a tank */
    int open;        /* tl_side: the face of a tank that is missing */
    int contact;     /* tl_contact */
    double slip;     /* 0 sticks .. 1 slides; from the contact unless given */
    bool has_slip;
    double slip_length; /* m; instead of slip */
    bool has_slip_length;
    tl_roughness_def roughness;
    bool has_roughness;
    double stickiness;       /* Pa: the most that it pulls with */
    bool has_stickiness;     /* without it there is no limit */
    double bounce;           /* part of its normal speed that a particle keeps in a collision */
    double velocity[3];      /* m/s, of the wall's surface, along itself (a belt) */
    tl_param_list motion;    /* tl_move_def: how it moves by plan */
    tl_schedule temperature; /* °C, of its surface */
    bool has_temperature;    /* without one it is insulating */
    double conductance;      /* W/(m²·K), of the interface; 0: perfect contact */
    double heat_capacity;    /* J/K; 0: the temperature is as given */
    bool hidden;             /* not drawn */
    float colour[3];
} tl_wall_def;

extern const tl_param_table tl_box_table;
extern const tl_param_table tl_sphere_table;
extern const tl_param_table tl_roughness_table;
extern const tl_param_table tl_wall_table;

#endif
