/* The look `smooth`: a skin over the particles, in the light of the scene's lights and flames.
 * Matter coloured by its material looks as the material does. Coloured by a field it is to be read,
 * and stays opaque and dull. */
#include "run/picture_looks.h"

#include "base/memory.h"
#include "run/picture_light.h"
#include "run/picture_touch.h"

#include <string.h>

/* What is added to a shot. */
typedef struct smooth_job {
    tl_shot *shot;
    tl_arena memory;
    tl_preview_skin skin;
    tl_preview_mesh surface;
    tl_preview_light *lights;
    tl_preview_flame *flames;
    size_t light_count, flame_count;
    float daylight;
} smooth_job;

/* How it looks molten. */
static void add_melt(const tl_material *material, tl_preview_matter *out) {
    const tl_look *look = &material->look;
    const bool melts = material->has_solidus || material->has_liquidus;
    out->melts = melts && (look->has_melt_roughness || look->has_melt_translucency);
    out->solidus = (float)(material->has_solidus ? material->solidus : material->liquidus);
    out->liquidus = (float)(material->has_liquidus ? material->liquidus : material->solidus);
    out->melt_roughness = look->has_melt_roughness ? (float)look->melt_roughness : out->roughness;
    out->melt_translucency =
        look->has_melt_translucency ? (float)look->melt_translucency : out->translucency;
}

static tl_preview_matter matter_of(const tl_material *material) {
    const tl_look *look = &material->look;
    tl_preview_matter out = {.roughness = (float)look->roughness,
                             .translucency = (float)look->translucency,
                             .clarity = (float)look->clarity,
                             .refraction = (float)look->refraction,
                             .metal = (float)look->metal,
                             .glows = look->glows};
    add_melt(material, &out);
    return out;
}

static tl_status add_matters(smooth_job *job, tl_error *error) {
    const tl_shot *shot = job->shot;
    const tl_param_list *materials = &shot->scene->materials;
    const tl_frame_array *kind = tl_frame_find(shot->frame, "material");
    const size_t count = materials->count < UINT8_MAX ? materials->count : UINT8_MAX;
    if (!tl_shot_is_lifelike(shot) || !kind || count == 0)
        return TL_OK;
    tl_preview_matter *matters = tl_arena_allocate(&job->memory, count, sizeof *matters);
    uint8_t *kinds = tl_arena_allocate(&job->memory, shot->frame->count + 1, sizeof *kinds);
    if (!matters || !kinds)
        return tl_fail_memory(error, shot->frame->count + count, sizeof *matters);
    for (size_t i = 0; i < count; i++)
        matters[i] = matter_of((const tl_material *)materials->items + i);
    for (size_t i = 0; i < shot->frame->count; i++) {
        const double number = tl_frame_number(kind, i);
        kinds[i] = (uint8_t)(number < (double)count ? number : 0);
    }
    job->skin.matters = matters, job->skin.matter_count = count;
    job->skin.kinds = kinds;
    return TL_OK;
}

static tl_status copy_floats(smooth_job *job, const char *name, int components, const float **out,
                             tl_error *error) {
    const tl_frame *frame = job->shot->frame;
    const tl_frame_array *array = tl_frame_find(frame, name);
    *out = NULL;
    if (!array || array->components != components)
        return TL_OK;
    const size_t count = frame->count * (size_t)components;
    float *copy = tl_arena_allocate(&job->memory, count + 1, sizeof *copy);
    if (!copy)
        return tl_fail_memory(error, count, sizeof *copy);
    for (size_t i = 0; i < count; i++)
        copy[i] = (float)tl_frame_number(array, i);
    *out = copy;
    return TL_OK;
}

/* Thermal particles reach for walls, where their surface does not. */
static tl_status add_surface(smooth_job *job, tl_error *error) {
    if (job->skin.round || job->skin.ways || job->shot->options->look == TL_LOOK_ELLIPSOIDS)
        return TL_OK;
    TL_TRY(tl_picture_surface_find(job->shot, &job->surface, error));
    job->skin.surface = &job->surface;
    return TL_OK;
}

static tl_status add_skin(smooth_job *job, tl_error *error) {
    const tl_scene *scene = job->shot->scene;
    job->skin = (tl_preview_skin){.count = job->shot->frame->count,
                                  .spacing = scene->spacing,
                                  .round = job->shot->options->look == TL_LOOK_BALLS,
                                  .shutter = 0.5 / scene->frame_rate};
    TL_TRY(tl_shot_find_ways(job->shot, &job->memory, &job->skin.ways, error));
    TL_TRY(add_surface(job, error));
    TL_TRY(copy_floats(job, "velocity", 3, &job->skin.velocities, error));
    TL_TRY(copy_floats(job, "size", 1, &job->skin.sizes, error));
    job->skin.hottest = tl_shot_hottest(job->shot);
    if (tl_shot_is_lifelike(job->shot))
        TL_TRY(copy_floats(job, "temperature", 1, &job->skin.temperatures, error));
    return add_matters(job, error);
}

static void add_light(smooth_job *job, const tl_light_def *def) {
    tl_preview_light *light = &job->lights[job->light_count++];
    *light =
        (tl_preview_light){.at = tl_vec3_of(def->has_position ? def->position : def->direction),
                           .is_near = def->has_position,
                           .strength = (float)def->strength,
                           .size = (float)def->size};
    memcpy(light->colour, def->colour, sizeof light->colour);
}

/* A flame is seen, and is a lamp. */
static void add_flame(smooth_job *job, size_t source) {
    tl_preview_flame *flame = &job->flames[job->flame_count];
    if (!tl_flame_in_shot(job->shot, source, flame))
        return;
    job->flame_count++;
    tl_preview_light *light = &job->lights[job->light_count++];
    *light = (tl_preview_light){.at = flame->at,
                                .is_near = true,
                                .strength = TL_FLAME_LIGHT * flame->strength,
                                .distance = (float)(TL_FLAME_DISTANCE * flame->width),
                                .size = (float)(0.5 * flame->width)};
    memcpy(light->colour, tl_flame_colour, sizeof light->colour);
}

/* The light of the day, where the scene has none of its own. */
static void add_day(smooth_job *job) {
    job->lights[job->light_count++] = (tl_preview_light){.at = job->shot->view.to_light,
                                                         .colour = {0.96f, 0.93f, 0.88f},
                                                         .strength = 0.9f * job->daylight,
                                                         .size = 0.06f};
}

static tl_status add_lights(smooth_job *job, tl_error *error) {
    const tl_scene *scene = job->shot->scene;
    const tl_light_def *lights = scene->lights.items;
    const size_t room = scene->lights.count + scene->sources.count + 1;
    job->lights = tl_arena_allocate(&job->memory, room, sizeof *job->lights);
    job->flames = tl_arena_allocate(&job->memory, room, sizeof *job->flames);
    if (!job->lights || !job->flames)
        return tl_fail_memory(error, room, sizeof *job->lights);
    for (size_t i = 0; i < scene->lights.count; i++)
        add_light(job, &lights[i]);
    for (size_t i = 0; i < scene->sources.count && tl_shot_is_lifelike(job->shot); i++)
        add_flame(job, i);
    job->daylight = tl_shot_daylight(job->shot);
    if (scene->lights.count == 0)
        add_day(job);
    return TL_OK;
}

static tl_status draw(smooth_job *job, tl_error *error) {
    tl_shot *shot = job->shot;
    TL_TRY(add_skin(job, error));
    TL_TRY(add_lights(job, error));
    shot->view.skin = &job->skin;
    shot->view.lights = job->lights, shot->view.light_count = job->light_count;
    shot->view.flames = job->flames, shot->view.flame_count = job->flame_count;
    shot->view.daylight = job->daylight;
    return tl_preview_draw(shot->parallel, &shot->view, &shot->camera, shot->options->width,
                           shot->options->height, shot->rgb, error);
}

tl_status tl_look_smooth(tl_shot *shot, tl_error *error) {
    smooth_job job = {.shot = shot};
    const tl_status status = draw(&job, error);
    tl_arena_free(&job.memory);
    return status;
}
