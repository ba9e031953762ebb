/* A preview picture: shaded spheres or a smooth skin over them, walls, tanks and meshes, drawn by
 * the processor into an RGB image. Knows nothing of worlds or files. The pixels do not depend on
 * the number of threads.
 *
 * Colours are sRGB in 0..1, as on screen; light is added up in linear space. */
#ifndef TL_RENDER_PREVIEW_H
#define TL_RENDER_PREVIEW_H

#include "base/error.h"
#include "base/parallel.h"
#include "math/pose.h"
#include "render/colormap.h"

typedef struct tl_camera {
    tl_vec3 from, look_at, up; /* m; `up` along the line of sight is replaced by another axis */
    double field_of_view;      /* rad, from the top to the bottom of the image */
} tl_camera;

/* Where a camera is at a time (s). */
typedef struct tl_camera_key {
    double time;
    tl_camera camera;
} tl_camera_key;

/* A wall seen from the side its normal points to; from behind it is not there. */
typedef struct tl_preview_plane {
    tl_vec3 point, normal;
    tl_vec3 half_u, half_v; /* the rectangle point ± half_u ± half_v, at right angles; zero:
                               endless, and fading into the background with distance */
    float colour[3];
    double grid; /* m between the lines drawn on it; 0: a round number that suits the picture;
                    negative: no lines */
} tl_preview_plane;

/* An axis-aligned box: a solid that casts shadows, or the edges and faint faces of a glass tank. */
typedef struct tl_preview_box {
    tl_vec3 from, to;
    float colour[3];
    bool filled;
} tl_preview_box;

/* Triangles: a surface that is seen from both sides and casts shadows, or a vessel. */
typedef struct tl_preview_mesh {
    const tl_vec3 *vertices;
    const uint32_t (*triangles)[3]; /* indices of vertices */
    size_t vertex_count, triangle_count;
    tl_pose pose; /* where the frame of the vertices stands in the world */
    float colour[3];
    const float *colours; /* rgb, three floats a vertex; NULL: all have `colour` */
    const float *normals; /* unit, three floats a vertex, in the frame of the vertices, and smooth
                             over every edge; NULL: found from the triangles */
    bool hollow; /* a vessel: its triangles, counter-clockwise seen from its inside, are drawn only
                    where one looks at the inside, and cast no shadow */
    float clarity; /* 0, or the part of the light from behind it that comes through, at most 1; then
                      it is seen from both sides and casts no shadow */
} tl_preview_mesh;

/* What the matter under a skin is like; see materials/look.h. */
typedef struct tl_preview_matter {
    float roughness;
    float translucency; /* m; 0: opaque */
    float clarity, refraction, metal;
    bool glows;
    bool melts;              /* it looks otherwise when it is warm: */
    float solidus, liquidus; /* °C, where that begins and has come */
    float melt_roughness, melt_translucency;
} tl_preview_matter;

/* Matter drawn in one piece: the first `count` spheres of a scene become ellipsoids, as long as the
 * matter around them reaches, and a smooth skin is drawn over them, or over their surface. */
typedef struct tl_preview_skin {
    size_t count;
    double spacing;                 /* m, of the particles */
    const float *sizes;             /* m, of each; NULL: all have the spacing */
    bool round;                     /* balls, not ellipsoids */
    const tl_preview_mesh *surface; /* of the matter: drawn in place of the shapes, which then give
                                       paint and shadows alone; NULL: the shapes are drawn */
    const float *velocities; /* m/s, three a sphere: strays are stretched along them; or NULL */
    double shutter;          /* s: by the way they go in this time */
    const float *ways;       /* m, three a sphere: to what it is to touch, at least; zero: nothing;
                                or NULL */
    const float *temperatures; /* °C, one a sphere; NULL: too cold to glow */
    float hottest;             /* °C, of the glow that the picture is exposed for; 0: unknown */
    const uint8_t *kinds;      /* numbers of matters, one a sphere; NULL: all are the first */
    const tl_preview_matter *matters;
    size_t matter_count; /* 0: as tl_preview_plain_matter() */
} tl_preview_skin;

/* A light, for pictures with a skin. */
typedef struct tl_preview_light {
    tl_vec3 at; /* m where it stands, or the direction towards it, of any length */
    bool is_near;
    float colour[3];
    float strength; /* 1: a white sheet that faces it is white; at the distance of what is looked at
                       for one that stands at a place, */
    float distance; /* m, or at this one if it is given */
    float size;     /* m, its radius, or rad, the angle it is seen under */
} tl_preview_light;

/* A flame, for pictures with a skin: seen, but lighting nothing. */
typedef struct tl_preview_flame {
    tl_vec3 at;   /* m, its middle */
    tl_vec3 up;   /* the way to its tip, of length one; zero: z */
    double width; /* m */
    float strength;
    tl_vec3 ember;      /* m: the glowing end of its wick, */
    double ember_width; /* m; 0: none */
} tl_preview_flame;

/* The way to the tip of a flame. */
static inline tl_vec3 tl_flame_up(tl_vec3 up) {
    return tl_vec3_dot(up, up) > 0 ? up : (tl_vec3){0, 0, 1};
}

/* Where the time of a picture with a skin goes. */
typedef enum tl_preview_pass {
    TL_PASS_SHAPES,  /* ellipsoids, from neighbours */
    TL_PASS_DEPTHS,  /* of walls and matter, and paint */
    TL_PASS_SKIN,    /* smoothing and normals */
    TL_PASS_CORNERS, /* ambient occlusion */
    TL_PASS_LAMPS,   /* maps of lights */
    TL_PASS_WALLS,   /* light on all but matter */
    TL_PASS_MATTER,  /* light on and in matter */
    TL_PASS_FINISH,  /* flames, spread of light, bytes */
    TL_PASSES
} tl_preview_pass;

extern const char *const tl_preview_pass_names[TL_PASSES];

typedef struct tl_preview_legend {
    const char *label; /* "temperature, °C" */
    double min, max;   /* of the ends of the bar */
    const tl_colormap *map;
} tl_preview_legend;

/* What to draw. Start from tl_preview_default(). Nothing is kept after the call. */
typedef struct tl_preview_scene {
    const double *positions; /* m; sphere i at positions[i * stride + 0..2] */
    size_t stride;           /* doubles from one sphere to the next; 0 means 3 */
    size_t count;         /* spheres that are not finite or reach the camera's plane are left out */
    double radius;        /* m */
    const float *radii;   /* m, one a sphere; NULL: all have `radius` */
    const float *colours; /* rgb, three floats a sphere; NULL: all have `colour` */
    float colour[3];
    const tl_preview_plane *planes;
    size_t plane_count;
    const tl_preview_box *boxes;
    size_t box_count;
    const tl_preview_mesh *meshes;
    size_t mesh_count;
    float background_top[3], background_bottom[3];
    tl_vec3 to_light;               /* from the scene towards the key light; any length */
    const tl_preview_skin *skin;    /* NULL: spheres are spheres */
    const tl_preview_light *lights; /* with a skin: instead of the key light, */
    size_t light_count;             /* unless there are none */
    const tl_preview_flame *flames; /* with a skin */
    size_t flame_count;
    double *pass_seconds;            /* with a skin: receives TL_PASSES times, unless NULL */
    float daylight;                  /* with a skin: 1, or less for a dim sky */
    const char *caption;             /* UTF-8, bottom left; NULL: none */
    const char *title;               /* top left; NULL: none */
    const char *scale_label;         /* of a bar at the bottom, such as "5 cm"; NULL: none, */
    int scale_width;                 /* of so many pixels */
    const tl_preview_legend *legend; /* bottom right; NULL: none */
} tl_preview_scene;

enum { TL_PREVIEW_MAX_SIZE = 16384 }; /* pixels, of each side of the image */

/* Somewhat glossy and opaque. */
tl_preview_matter tl_preview_plain_matter(void);

/* An empty scene with our light, background and sphere colour. */
tl_preview_scene tl_preview_default(void);

/* Draws the scene.
 * width, height  pixels, 1 .. TL_PREVIEW_MAX_SIZE
 * rgb            receives width * height * 3 bytes, top row first */
tl_status tl_preview_draw(const tl_parallel *parallel, const tl_preview_scene *scene,
                          const tl_camera *camera, int width, int height, unsigned char *rgb,
                          tl_error *error);

/* A three-quarter view from above (z is up) in which the box takes two thirds of the height of an
 * image of that shape, or less where it is too wide for that. */
void tl_camera_frame(tl_vec3 box_from, tl_vec3 box_to, int width, int height, tl_camera *out);

/* The camera at a time: through all keys, which are in the order of their times, smoothly, and at
 * rest before the first and after the last. */
tl_camera tl_camera_along(const tl_camera_key *keys, size_t count, double time);

/* Turns the camera about the vertical through what it looks at, counter-clockwise from above. */
void tl_camera_turn(tl_camera *camera, double angle);

#endif
