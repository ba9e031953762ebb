/* See trace.h. A block of pixels belongs to one thread, and a sample to its pixel and number. */
#include "trace/picture.h"

#include <stdlib.h>

enum { BLOCK = 64 }; /* pixels of a row */

bool tl_trace_available(void) { return true; }

static void aim(tl_trace *t, const tl_camera *camera) {
    const tl_vec3 forward = tl_vec3_unit(tl_vec3_sub(camera->look_at, camera->from));
    tl_vec3 right = tl_vec3_cross(forward, camera->up);
    if (!(tl_vec3_length(right) > 1e-6 * tl_vec3_length(camera->up)))
        right =
            tl_vec3_cross(forward, fabs(forward.z) > 0.9 ? (tl_vec3){0, 1, 0} : (tl_vec3){0, 0, 1});
    right = tl_vec3_unit(right);
    const double pixel = 2 * tan(0.5 * camera->field_of_view) / t->height;
    t->eye = tl_float3_of(tl_vec3_sub(camera->from, camera->look_at));
    t->forward = tl_float3_of(forward);
    t->right = tl_float3_of(tl_vec3_scale(right, pixel));
    t->up = tl_float3_of(tl_vec3_scale(tl_vec3_cross(right, forward), pixel));
}

static tl_status set_up(tl_trace *t, const tl_trace_scene *scene, const tl_camera *camera,
                        tl_error *error) {
    const size_t pixels = (size_t)t->width * (size_t)t->height;
    t->pixels = tl_allocate(pixels, sizeof *t->pixels);
    t->rays = tl_allocate(pixels / BLOCK + 1, sizeof *t->rays);
    if (!t->pixels || !t->rays)
        return tl_fail_memory(error, pixels, sizeof *t->pixels);
    aim(t, camera);
    t->scenery.most = scene->most;
    t->scenery.contact = (float)scene->contact;
    TL_TRY(tl_space_make(scene, camera, &t->scenery.space, error));
    TL_TRY(tl_flames_make(scene, &t->scenery.space, &t->scenery.flames, error));
    return tl_trace_lamps_make(scene, &t->scenery.space, &t->scenery.lamps, error);
}

tl_status tl_trace_create(const tl_parallel *parallel, const tl_trace_scene *scene,
                          const tl_camera *camera, int width, int height, tl_trace **out,
                          tl_error *error) {
    *out = NULL;
    if (width < 1 || height < 1 || width > TL_PREVIEW_MAX_SIZE || height > TL_PREVIEW_MAX_SIZE)
        return tl_fail(error, TL_BAD_INPUT, "trace", "1280 x 720 is a good size",
                       "an image of %d x %d pixels cannot be drawn", width, height);
    tl_trace *t = tl_allocate(1, sizeof *t);
    if (!t)
        return tl_fail_memory(error, 1, sizeof *t);
    t->parallel = *parallel;
    t->width = width, t->height = height;
    const tl_status status = set_up(t, scene, camera, error);
    if (status == TL_OK)
        *out = t;
    else
        tl_trace_destroy(t);
    return status;
}

/* ---- Samples ------------------------------------------------------------------------------- */

typedef struct job {
    tl_trace *trace;
    int samples;
} job;

static tl_ray ray_of(const tl_trace *t, size_t pixel, tl_sampler *sampler) {
    const tl_float2 u = tl_sampler_next(sampler);
    const float x = (float)(pixel % (size_t)t->width) + u.x - 0.5f * (float)t->width;
    const float y = 0.5f * (float)t->height - (float)(pixel / (size_t)t->width) - u.y;
    const tl_float3 along = tl_float3_mad(tl_float3_mad(t->forward, x, t->right), y, t->up);
    return (tl_ray){t->eye, tl_float3_unit(along), INFINITY};
}

static void add_sample(const tl_trace *t, size_t pixel, int sample, uint64_t *rays) {
    tl_sampler sampler = {.pixel = (uint32_t)pixel, .sample = (uint32_t)sample};
    tl_trace_pixel *p = &t->pixels[pixel];
    tl_features f;
    const tl_ray ray = ray_of(t, pixel, &sampler);
    const tl_float3 light = tl_path_light(&t->scenery, ray, &sampler, &f, rays);
    const float brightness = tl_brightness(light);
    if (!isfinite(brightness))
        return;
    p->light = tl_float3_add(p->light, light);
    p->colour = tl_float3_add(p->colour, f.colour);
    p->normal = tl_float3_add(p->normal, f.normal);
    p->distance += f.distance;
    p->squares += brightness * brightness;
    p->flame = tl_float3_add(p->flame, f.flame);
    p->passes += f.passes;
}

static void add_samples(void *context, size_t begin, size_t end, int thread) {
    const job *j = context;
    tl_trace *t = j->trace;
    (void)thread;
    for (size_t pixel = begin; pixel < end; pixel++)
        for (int s = 0; s < j->samples; s++)
            add_sample(t, pixel, t->samples + s, &t->rays[begin / BLOCK]);
}

void tl_trace_add(tl_trace *t, int samples) {
    job j = {t, samples};
    tl_parallel_for(&t->parallel, (size_t)t->width * (size_t)t->height, BLOCK, add_samples, &j);
    t->samples += samples;
}

int tl_trace_samples(const tl_trace *t) { return t->samples; }

uint64_t tl_trace_rays(const tl_trace *t) {
    const size_t blocks = tl_block_count((size_t)t->width * (size_t)t->height, BLOCK);
    uint64_t sum = 0;
    for (size_t i = 0; i < blocks; i++)
        sum += t->rays[i];
    return sum;
}

void tl_trace_add_flames(const tl_trace *t, float *rgb) {
    const float scale = t->samples > 0 ? 1 / (float)t->samples : 0;
    const size_t pixels = (size_t)t->width * (size_t)t->height;
    for (size_t i = 0; i < pixels && t->scenery.flames.count > 0; i++) {
        const tl_trace_pixel *p = &t->pixels[i];
        rgb[3 * i] = scale * (p->passes * rgb[3 * i] + p->flame.x);
        rgb[3 * i + 1] = scale * (p->passes * rgb[3 * i + 1] + p->flame.y);
        rgb[3 * i + 2] = scale * (p->passes * rgb[3 * i + 2] + p->flame.z);
    }
}

void tl_trace_light_of(const tl_trace *t, float *rgb) {
    const float scale = t->samples > 0 ? 1 / (float)t->samples : 0;
    for (size_t i = 0; i < (size_t)t->width * (size_t)t->height; i++) {
        rgb[3 * i] = scale * t->pixels[i].light.x;
        rgb[3 * i + 1] = scale * t->pixels[i].light.y;
        rgb[3 * i + 2] = scale * t->pixels[i].light.z;
    }
    tl_trace_add_flames(t, rgb);
}

void tl_trace_destroy(tl_trace *t) {
    if (!t)
        return;
    tl_space_free(&t->scenery.space);
    free(t->pixels);
    free(t->rays);
    free(t);
}
