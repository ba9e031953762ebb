/* Things in space and the rays that meet them. Embree has meshes and spheres; planes are few and
 * may be endless, so they are met by arithmetic. The one room file that knows Embree is space.c.
 *
 * Places are floats, counted from what the camera looks at. */
#ifndef TL_TRACE_SPACE_H
#define TL_TRACE_SPACE_H

#include "base/memory.h"
#include "render/glow.h"
#include "trace/substance.h"

struct RTCDeviceTy;
struct RTCSceneTy;

typedef struct tl_ray {
    tl_float3 from, along; /* along: unit */
    float limit;           /* m */
} tl_ray;

/* A mesh or a sphere. */
typedef struct tl_thing {
    const tl_substance *substance;
    uint32_t (*triangles)[3]; /* NULL: a sphere */
    tl_float3 *vertices, *normals, *colours, *glow;
    bool has_edges;           /* normals were found: they do not hold where edges are sharp */
    struct RTCSceneTy *alone; /* of translucent meshes: nothing but this one */
} tl_thing;

typedef struct tl_flat {
    const tl_substance *substance;
    tl_float3 normal, middle, u, v; /* u, v: unit */
    float offset, half_u, half_v;   /* infinite when endless */
    float fade;
} tl_flat;

typedef struct tl_space {
    struct RTCDeviceTy *device;
    struct RTCSceneTy *scene;
    tl_thing *things; /* by Embree's number */
    tl_flat *flats;
    size_t thing_count, flat_count;
    tl_vec3 origin;
    float size;     /* m, of the things and of the way from the camera to them */
    bool is_opaque; /* nothing is clear */
    tl_glow glow;
    tl_arena arena;
} tl_space;

/* Where a ray meets something. */
typedef struct tl_meeting {
    const tl_substance *substance;
    const tl_thing *thing; /* NULL: a plane */
    float distance, fade;  /* fade: the part that is sky */
    tl_float3 place;
    tl_float3 face, normal; /* to the outside: of the triangle, and smooth */
    tl_float3 colour, glow; /* glow: radiance of its own */
} tl_meeting;

tl_status tl_space_make(const tl_trace_scene *scene, const tl_camera *camera, tl_space *out,
                        tl_error *error);
void tl_space_free(tl_space *space);

/* The nearest thing along a ray. */
bool tl_space_meet(const tl_space *space, const tl_ray *ray, tl_meeting *out);

/* Whether anything is on a ray. */
bool tl_space_blocks(const tl_space *space, const tl_ray *ray);

/* The nearest triangle of one translucent mesh. */
bool tl_thing_meet(const tl_thing *thing, const tl_ray *ray, tl_meeting *out);

/* A place beside a surface, on the side that `normal` points to: rays from it do not meet it. */
static inline tl_float3 tl_space_beside(const tl_space *space, tl_float3 place, tl_float3 normal) {
    const float far = fmaxf(fmaxf(fabsf(place.x), fabsf(place.y)), fabsf(place.z));
    return tl_float3_mad(place, 4e-6f * fmaxf(far, 0.5f * space->size), normal);
}

#endif
