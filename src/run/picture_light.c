/* See picture_light.h. */
#include "run/picture_light.h"

#include "render/flame.h"
#include "run/picture_colours.h"
#include "run/picture_wicks.h"

#include <string.h>

/* How bright the day is beside a flame, and in a scene with matter that glows. */
#define CANDLELIGHT 0.16f
#define LAVALIGHT   0.5f

/* °C, from which on matter is bright beside the day. */
#define GLOWING 600

const float tl_flame_colour[3] = {1, 0.78f, 0.5f};

bool tl_shot_is_lifelike(const tl_shot *shot) { return tl_colours_are_of_materials(shot->by); }

bool tl_flame_of_source(const tl_source_def *source, double time, double spacing,
                        tl_preview_flame *out) {
    const double peak = tl_schedule_peak(&source->power);
    const double power = tl_schedule_at(&source->power, time);
    if (source->shape == TL_SOURCE_DISC || !(power > 0) || !(peak > 0))
        return false;
    const double radius = source->shape == TL_SOURCE_SPHERE ? source->radius : spacing;
    *out = (tl_preview_flame){.at = tl_source_place(source, time),
                              .up = source->has_wick ? tl_wick_lean(&source->wick)
                                                     : (tl_vec3){0, 0, 1},
                              .width = 2 * radius,
                              .strength = (float)(power / peak)};
    return true;
}

/* A flame on a wick is as large as what it burns, and flickers and sways: as the air moves about
 * it, some times a second, whatever the run knows of that. It sways about its foot, which is
 * straight below the tip. */
static void tend_flame(const tl_frame *frame, const tl_wick_def *wick, size_t source, double part,
                       tl_preview_flame *out) {
    const double t = frame->time, own = 2.4 * (double)source;
    const double flicker = 0.03 * sin(11.9 * t + own) + 0.02 * sin(29.3 * t + 2 * own);
    const tl_vec3 at = tl_vec3_of(frame->flame[source].at), up = out->up;
    const tl_vec3 sway = {0.035 * sin(5.3 * t + own), 0.035 * sin(7.1 * t + 3 * own), 0};
    out->width *= cbrt(part) * (1 + flicker);
    out->strength = (float)(sqrt(part) * (1 + flicker));
    const double below = (double)TL_FLAME_MIDDLE * (double)TL_FLAME_TALL * out->width;
    const tl_vec3 tip = tl_vec3_mad(at, -wick->flame_height, up);
    const tl_vec3 foot = tl_vec3_mad(tip, wick->flame_height - below, (tl_vec3){0, 0, 1});
    out->up = tl_vec3_unit(tl_vec3_add(up, sway));
    out->at = tl_vec3_mad(foot, below, out->up);
    out->ember = tl_wick_end(wick, at);
    out->ember_width = 2.2 * TL_WICK_THIN * wick->radius;
}

bool tl_flame_in_shot(const tl_shot *shot, size_t source, tl_preview_flame *out) {
    const tl_frame *frame = shot->frame;
    const tl_source_def *def = (const tl_source_def *)shot->scene->sources.items + source;
    const bool found = tl_flame_of_source(def, frame->time, shot->scene->spacing, out);
    if (!def->has_wick || source >= frame->flame_count)
        return found;
    const double part = frame->flame[source].power / tl_schedule_peak(&def->power);
    if (!found || !(part > 0))
        return false;
    tend_flame(frame, &def->wick, source, part, out);
    return true;
}

static bool has_flame(const tl_scene *scene) {
    const tl_source_def *sources = scene->sources.items;
    for (size_t i = 0; i < scene->sources.count; i++)
        if (sources[i].shape != TL_SOURCE_DISC && tl_schedule_peak(&sources[i].power) > 0)
            return true;
    return false;
}

static bool is_luminous(const tl_scene *scene, const char *name) {
    const tl_material *materials = scene->materials.items;
    for (size_t m = 0; name && m < scene->materials.count; m++)
        if (strcmp(materials[m].name, name) == 0)
            return materials[m].look.glows;
    return false;
}

/* °C of the hottest matter that starts out glowing; 0 when none does. */
static double lava_of(const tl_scene *scene) {
    const tl_body_def *bodies = scene->bodies.items;
    const tl_emitter_def *emitters = scene->emitters.items;
    double hottest = 0;
    for (size_t i = 0; i < scene->bodies.count; i++) {
        const tl_temperature_def *t = &bodies[i].temperature;
        if (is_luminous(scene, bodies[i].material))
            hottest = fmax(hottest, t->has_value ? t->value : fmax(t->from, t->to));
    }
    for (size_t i = 0; i < scene->emitters.count; i++)
        if (is_luminous(scene, emitters[i].material))
            hottest = fmax(hottest, tl_schedule_peak(&emitters[i].temperature));
    return hottest > GLOWING ? hottest : 0;
}

float tl_shot_hottest(const tl_shot *shot) { return (float)lava_of(shot->scene); }

float tl_shot_daylight(const tl_shot *shot) {
    if (!tl_shot_is_lifelike(shot))
        return 1;
    if (has_flame(shot->scene))
        return CANDLELIGHT;
    return tl_frame_find(shot->frame, "temperature") && lava_of(shot->scene) > 0 ? LAVALIGHT : 1;
}
