/* Walls: surfaces that hold particles in or keep them out. */
#ifndef TL_BOUNDARY_WALL_H
#define TL_BOUNDARY_WALL_H

#include "base/schedule.h"
#include "math/pi.h"
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

/* A cylinder between two points. */
typedef struct tl_cylinder_def {
    double from[3], to[3], radius; /* m */
} tl_cylinder_def;

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
    const double k = 2 * TL_PI / r->period;
    return 1 / (k * k * k * r->height * r->height);
}

/* One wall as the scene gives it: exactly one of plane, normal (with through), box, sphere,
 * cylinder and the forms. */
typedef struct tl_wall_def {
    char *name;
    int plane;         /* tl_side: the way its normal points, into the matter */
    double at;         /* m, along that axis */
    double normal[3];  /* of an oblique plane, into the matter; zero when not given */
    double through[3]; /* a point of the oblique plane */
    tl_box_def box;
    bool has_box;
    tl_sphere_def sphere;
    tl_cylinder_def cylinder;
    bool has_sphere, has_cylinder;
    tl_form_def form;
    bool hollow;      /* the matter is inside of the sphere, the cylinder or the form */
    tl_mesh mesh;     /* of the sphere, cylinder or form; its triangles face the matter */
    tl_solid *solid;  /* of the mesh; both are owned by the scene */
    bool outside;     /* the matter is outside of the box: an obstacle, not a tank */
    int open;         /* tl_side: the face of a tank, or the end of a vessel, that is missing */
    double thickness; /* m, of an open vessel; 0: three spacings */
    int contact;      /* tl_contact */
    double slip;      /* 0 sticks .. 1 slides; from the contact unless given */
    bool has_slip;
    double slip_length; /* m; instead of slip */
    bool has_slip_length;
    tl_roughness_def roughness;
    bool has_roughness;
    double stickiness;       /* Pa: the most that it pulls with */
    bool has_stickiness;     /* without it there is no limit */
    double contact_angle;    /* rad: at which surfaces of liquids meet it */
    bool has_contact_angle;  /* without it that of the liquid */
    double bounce;           /* part of its normal speed that a particle keeps in a collision */
    double velocity[3];      /* m/s, of the wall's surface, along itself (a belt) */
    tl_param_list motion;    /* tl_move_def: how it moves by plan */
    double driven;           /* m/s: the fastest that a program may drive it at */
    bool has_driven;         /* without one it is not to be driven */
    tl_schedule temperature; /* °C, of its surface */
    bool has_temperature;    /* without one it is insulating */
    double conductance;      /* W/(m²·K), of the interface; 0: perfect contact */
    double heat_capacity;    /* J/K; 0: the temperature is as given */
    bool hidden;             /* not drawn */
    float colour[3];
    double opacity; /* 0 is not seen .. 1 hides what is behind it */
} tl_wall_def;

/* True for what becomes a mesh in a flow: a ball, a cylinder or a form. */
static inline bool tl_wall_is_form(const tl_wall_def *wall) {
    return wall->has_sphere || wall->has_cylinder || tl_form_given(&wall->form);
}

/* True for a vessel that is closed: all that is far away is solid. */
static inline bool tl_wall_is_sealed(const tl_wall_def *wall) {
    return wall->hollow && wall->open == TL_SIDE_NONE;
}

extern const tl_param_table tl_box_table;
extern const tl_param_table tl_sphere_table;
extern const tl_param_table tl_cylinder_table;
extern const tl_param_table tl_roughness_table;
extern const tl_param_table tl_wall_table;

#endif
