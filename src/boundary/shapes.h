/* Walls as geometry: half-spaces, solid boxes, balls and meshes, made from the scene's walls. A
 * tank is the half-spaces of its faces. Distances are positive in the matter and negative in the
 * solid. A shape is given in a frame of its own, the world's at the start, that may move by plan
 * (move.h), or as a program drives it (drive.h). */
#ifndef TL_BOUNDARY_SHAPES_H
#define TL_BOUNDARY_SHAPES_H

#include "boundary/cover.h"
#include "boundary/drive.h"
#include "boundary/move.h"
#include "boundary/wall.h"

typedef struct tl_shape {
    bool is_box, is_ball;
    tl_vec3 normal;        /* of a half-space, unit, into the matter */
    double offset;         /* the surface is where normal·x = offset */
    tl_vec3 from, to;      /* of a box; `from` is the centre of a ball */
    double radius;         /* of a ball */
    const tl_solid *solid; /* of a mesh; else NULL */
    bool hollow;           /* the mesh is a vessel: all that is far outside is solid */
    double reach;          /* m: distances from a mesh beyond this are only said to be so */
    tl_cover cover;        /* samples of a mesh, in its frame */
    tl_vec3 belt;          /* velocity of the surface along itself, in its frame */
    float slip;            /* 0 sticks .. 1 slides */
    double stickiness;     /* Pa: the most that it pulls with; HUGE_VAL without limit */
    float contact_cosine;  /* of its contact angle; NAN: that of the liquid */
    double bounce;         /* part of its normal speed that a particle keeps in a collision */
    size_t wall;           /* index of the scene's wall it belongs to */

    bool moves;                  /* its frame is not that of the world */
    const tl_param_list *motion; /* of its wall; NULL: it does not move by plan */
    const tl_drive *drive;       /* of its wall; NULL: it is not driven */
    tl_pose pose, other;         /* of its frame: now, and at the other end of the step */
    double rate;                 /* 1/s: over the time to there; negative when that is past */
} tl_shape;

typedef struct tl_shapes {
    tl_shape *items;
    size_t count;
    tl_drive *drives; /* [walls] of those that are driven; an array */
} tl_shapes;

/* The shapes of all walls, in their order. TL_BAD_INPUT for a wall that is no shape. Balls are
 * balls for potentials; for flow they are meshes, as their walls have it. */
tl_status tl_shapes_make(const tl_wall_def *walls, size_t count, tl_shapes *out, tl_error *error);

/* True for a wall that moves by plan or is driven. */
static inline bool tl_shape_is_led(const tl_shape *shape) { return shape->motion || shape->drive; }

/* Places shapes that move at the start of a step from one time to another. */
void tl_shapes_aim(tl_shapes *shapes, double from, double to);

/* Goes to the other end of the step. */
void tl_shapes_arrive(tl_shapes *shapes);

/* True when some shape may move. */
bool tl_shapes_move(const tl_shapes *shapes);

/* True when some shape lets matter go that pulls too much. */
bool tl_shapes_let_go(const tl_shapes *shapes);

/* Where a point of the solid that is now at `x` is at the other end of the step. */
static inline tl_vec3 tl_shape_carry(const tl_shape *shape, tl_vec3 x) {
    return shape->moves ? tl_pose_apply(&shape->other, tl_pose_back(&shape->pose, x)) : x;
}

/* Velocity of the solid's surface at a place of the world: straight from one end of the step to the
 * other, as particles move. */
static inline tl_vec3 tl_shape_velocity(const tl_shape *shape, tl_vec3 x) {
    if (!shape->moves)
        return shape->belt;
    const tl_vec3 way = tl_vec3_sub(tl_shape_carry(shape, x), x);
    return tl_vec3_mad(tl_turn_apply(shape->pose.turn, shape->belt), shape->rate, way);
}

/* Signed distance from a solid box: outside, to its nearest point; inside, minus the depth below
 * the nearest face. */
double tl_box_distance(const tl_shape *box, tl_vec3 x, tl_vec3 *normal);

/* The same for a mesh. Beyond the reach it is the reach, without a normal. */
double tl_mesh_wall_distance(const tl_shape *shape, tl_vec3 x, tl_vec3 *normal);

/* The same for a place in the frame of any shape. */
static inline double tl_shape_local_distance(const tl_shape *shape, tl_vec3 x, tl_vec3 *normal) {
    if (shape->is_box)
        return tl_box_distance(shape, x, normal);
    if (shape->solid)
        return tl_mesh_wall_distance(shape, x, normal);
    if (shape->is_ball) {
        const tl_vec3 d = tl_vec3_sub(x, shape->from);
        *normal = tl_vec3_unit(d);
        return tl_vec3_length(d) - shape->radius;
    }
    *normal = shape->normal;
    return tl_vec3_dot(shape->normal, x) - shape->offset;
}

/* Signed distance of `x` from the surface of a shape in a given pose, and the unit normal there. */
static inline double tl_shape_distance_in(const tl_shape *shape, const tl_pose *pose, tl_vec3 x,
                                          tl_vec3 *normal) {
    if (!shape->moves)
        return tl_shape_local_distance(shape, x, normal);
    const double distance = tl_shape_local_distance(shape, tl_pose_back(pose, x), normal);
    *normal = tl_turn_apply(pose->turn, *normal);
    return distance;
}

/* Signed distance of `x` from the surface, and the unit normal there, into the matter. */
static inline double tl_shape_distance(const tl_shape *shape, tl_vec3 x, tl_vec3 *normal) {
    return tl_shape_distance_in(shape, &shape->pose, x, normal);
}

/* How far behind the surface of a wall with that slip the matter seems to stick, m: 1 - slip is the
 * part that is left of the traction on a layer half a spacing away. */
static inline double tl_slip_length(double slip, double spacing) {
    return 0.5 * spacing * slip / (1 - slip);
}

/* The slip of a wall with that length. */
static inline double tl_slip_of_length(double length, double spacing) {
    return length / (length + 0.5 * spacing);
}

size_t tl_shapes_bytes(const tl_shapes *shapes);
void tl_shapes_free(tl_shapes *shapes);

#endif
