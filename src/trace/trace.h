/* Pictures by following light: soft shadows, reflection, refraction, light that wanders in wax, and
 * matter that glows. Paths are traced from the camera, a number of samples a pixel, each of which
 * depends on the pixel and its number only: the same bits for any number of threads, and the same
 * pattern in every frame of a film. Rays are Embree's. Knows nothing of worlds or files.
 *
 * Colours are sRGB in 0..1, as on screen. Light is linear; a radiance of 1 is white. */
#ifndef TL_TRACE_TRACE_H
#define TL_TRACE_TRACE_H

#include "base/error.h"
#include "base/parallel.h"
#include "math/pose.h"
#include "render/preview.h"

/* How a thing looks; the members of tl_look (materials/look.h), and what pictures add. */
typedef struct tl_trace_matter {
    float colour[3];
    float roughness, clarity, refraction, metal;
    double translucency; /* m: mean free path of light inside; 0: opaque */
    double depth;        /* m of clear matter that leave `colour` of white light; 0: colourless */
    bool glows;          /* by the temperatures of the vertices */
    bool thin;           /* a pane: clear, and light goes straight through */
} tl_trace_matter;

typedef struct tl_trace_mesh {
    const tl_vec3 *vertices;
    const uint32_t (*triangles)[3]; /* counter-clockwise seen from outside */
    size_t vertex_count, triangle_count;
    const float *normals;      /* unit, three floats a vertex; NULL: found, and sharp at edges */
    const float *colours;      /* three floats a vertex; NULL: of the matter */
    const float *temperatures; /* °C, one a vertex; NULL: cold */
    tl_pose pose;
    tl_trace_matter matter; /* translucent and clear matter needs a closed mesh */
    bool one_sided;         /* not there for light that comes from behind */
} tl_trace_mesh;

typedef struct tl_trace_sphere {
    tl_vec3 center;
    double radius;
    tl_trace_matter matter; /* translucent spheres are drawn as opaque */
} tl_trace_sphere;

/* Seen from the side its normal points to; from behind it is not there. */
typedef struct tl_trace_plane {
    tl_vec3 point, normal;
    tl_vec3 half_u, half_v; /* the rectangle point ± half_u ± half_v; zero: endless */
    double fade;            /* m from what the camera looks at, where it goes over into the sky;
                               0: never */
    tl_trace_matter matter;
} tl_trace_plane;

typedef struct tl_trace_light {
    tl_vec3 towards;  /* from the scene to a light that is far away; zero: it is at a place */
    tl_vec3 position; /* m */
    double size;      /* rad, the angle it is seen under, or m, its radius */
    float power[3];   /* linear: radiance of a white sheet that faces it; from a place, in 1 m */
} tl_trace_light;

/* A flame: a shining drop with its tip up, and a lamp. */
typedef struct tl_trace_flame {
    tl_vec3 position; /* m, its middle */
    tl_vec3 up;       /* the way to its tip, of length one */
    double width;     /* m; see render/flame.h */
    float strength;   /* how bright it is itself: 1 for one that burns well */
    float power[3];   /* of the lamp, as that of a light at a place */
} tl_trace_flame;

/* Light from everywhere. z is up. Linear. */
typedef struct tl_trace_sky {
    float zenith[3], horizon[3];
} tl_trace_sky;

/* What there is to see. Nothing is kept but until tl_trace_destroy. */
typedef struct tl_trace_scene {
    const tl_trace_mesh *meshes;
    const tl_trace_sphere *spheres;
    const tl_trace_plane *planes;
    const tl_trace_light *lights;
    const tl_trace_flame *flames;
    size_t mesh_count, sphere_count, plane_count, light_count, flame_count;
    tl_trace_sky sky;
    float hottest;  /* °C, of the glow that the picture is exposed for; 0: unknown */
    double contact; /* m: clear matter that comes so near to a wall is wet on it, with no air
                       between */
    float most; /* a sample's light that comes by way of more than one surface is held to this, so
                   that rare paths leave no sparks; 0: never */
} tl_trace_scene;

typedef struct tl_trace tl_trace;

/* Whether this build can trace. */
bool tl_trace_available(void);

/* Prepares a picture of width x height pixels; TL_BAD_INPUT without Embree. */
tl_status tl_trace_create(const tl_parallel *parallel, const tl_trace_scene *scene,
                          const tl_camera *camera, int width, int height, tl_trace **out,
                          tl_error *error);

/* Adds samples to every pixel. */
void tl_trace_add(tl_trace *trace, int samples);

int tl_trace_samples(const tl_trace *trace);

/* Rays followed so far. */
uint64_t tl_trace_rays(const tl_trace *trace);

/* The mean of the samples: linear light, three floats a pixel, top row first. */
void tl_trace_light_of(const tl_trace *trace, float *rgb);

/* Takes out the noise where neighbours show the same surface. */
tl_status tl_trace_denoise(const tl_trace *trace, float *rgb, tl_error *error);

/* sRGB bytes of linear light times `exposure`. */
void tl_trace_develop(const float *light, size_t pixels, float exposure, unsigned char *rgb);

void tl_trace_destroy(tl_trace *trace);

#endif
