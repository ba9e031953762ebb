/* Messages to the page: the layout is in docs/live-protocol.md. Numbers are little-endian, as the
 * machines are that this runs on. */
#include "boundary/move.h"
#include "message.h"
#include "run/picture_stage.h"
#include "scene/schema.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FRAME_HEAD = 96, MESH_HEAD = 32, MOST_KNOBS = 512 };

static const uint32_t frame_mark = 0x31464C54, mesh_mark = 0x314D4C54; /* TLF1, TLM1 */

typedef enum live_flags {
    PLAYING = 1,
    MATERIALS = 2,
    SIZES = 4,
    HOLDS = 8,
    RECORDED = 16,
    POURS = 32,
    BLOCKED = 64,
    BODIES = 128
} live_flags;

void live_packet_free(live_packet *p) {
    free(p->memory);
    *p = (live_packet){0};
}

static tl_status reserve(live_packet *p, size_t size, tl_error *error) {
    p->size = size;
    if (size <= p->room)
        return TL_OK;
    const size_t room = size + size / 8;
    free(p->memory);
    p->memory = malloc(LIVE_ROOM_BEFORE + room);
    p->room = p->memory ? room : 0;
    p->bytes = p->memory ? p->memory + LIVE_ROOM_BEFORE : NULL;
    return p->memory ? TL_OK : tl_fail_memory(error, room, 1);
}

#define PUT(packet, at, type, ...)                                                                 \
    memcpy((packet)->bytes + (at), (const type[]){__VA_ARGS__}, sizeof((const type[]){__VA_ARGS__}))

/* ---- Frames -------------------------------------------------------------------------------- */

/* The length of a vector, of what a field has several of. */
static double value_of(const tl_frame_array *a, size_t i) {
    const size_t n = (size_t)a->components;
    double sum = 0;
    if (n == 1)
        return tl_frame_number(a, i);
    for (size_t k = 0; k < n; k++)
        sum += tl_frame_number(a, n * i + k) * tl_frame_number(a, n * i + k);
    return sqrt(sum);
}

typedef struct ranges {
    double low[3], high[3], least, most;
} ranges;

static void find_ranges(const live_picture *p, ranges *r) {
    const tl_frame_array *place = &p->frame->array[0], *value = &p->frame->array[p->colour];
    *r = (ranges){{0}, {0}, HUGE_VAL, -HUGE_VAL};
    for (size_t i = 0; i < p->frame->count; i++) {
        for (size_t k = 0; k < 3; k++) {
            const double x = tl_frame_number(place, 3 * i + k);
            r->low[k] = i == 0 || x < r->low[k] ? x : r->low[k];
            r->high[k] = i == 0 || x > r->high[k] ? x : r->high[k];
        }
        const double v = value_of(value, i);
        r->least = v < r->least ? v : r->least;
        r->most = v > r->most ? v : r->most;
    }
    if (!(r->least <= r->most))
        r->least = r->most = 0;
}

static uint16_t quantise(double x, double low, double high, double steps) {
    const double part = high > low ? (x - low) / (high - low) : 0;
    return (uint16_t)(fmin(fmax(part, 0), 1) * steps + 0.5);
}

static void write_particles(const live_picture *p, const ranges *r, unsigned char *bytes) {
    const tl_frame_array *place = &p->frame->array[0], *value = &p->frame->array[p->colour];
    for (size_t i = 0; i < p->frame->count; i++, bytes += 8) {
        const double v = value_of(value, i);
        uint16_t four[4];
        for (size_t k = 0; k < 3; k++)
            four[k] = quantise(tl_frame_number(place, 3 * i + k), r->low[k], r->high[k], 65535);
        four[3] = isfinite(v) ? quantise(v, r->least, r->most, 65534) : 65535;
        memcpy(bytes, four, sizeof four);
    }
}

/* Where a wall stands that moves by plan or is driven. */
static tl_pose pose_of_wall(const live_picture *p, const tl_wall_def *wall) {
    tl_pose pose = tl_moves_at(&wall->motion, p->frame->time);
    tl_wall_view view;
    if (p->world && wall->name && tl_world_wall(p->world, wall->name, &view))
        pose.place = tl_vec3_add(pose.place, tl_vec3_of(view.shift));
    return pose;
}

static void put_pose(live_packet *out, size_t at, tl_pose pose) {
    const double all[7] = {pose.place.x, pose.place.y, pose.place.z, pose.turn.w,
                           pose.turn.x,  pose.turn.y,  pose.turn.z};
    for (size_t k = 0; k < 7; k++)
        PUT(out, at + 4 * k, float, (float)all[k]);
}

/* 128 is the spacing of the scene; 32 more are twice that. */
static uint8_t size_byte(double size, double spacing) {
    return (uint8_t)fmin(fmax(128 + 32 * log2(size / spacing), 0), 255);
}

/* The number of the rigid body, from 1, that a body of the scene is; 0: it is none. */
static uint8_t rigid_of(const tl_scene *scene, uint32_t body) {
    for (size_t k = 0; k < scene->rigid_count && k < UINT8_MAX; k++)
        if (scene->rigids[k].body == body)
            return (uint8_t)(k + 1);
    return 0;
}

static uint32_t flags_of(const live_picture *p, bool materials, bool sizes) {
    const tl_pouring pouring = p->world ? tl_world_pouring(p->world) : TL_POURING_NOTHING;
    return (uint32_t)((p->playing ? PLAYING : 0) | (materials ? MATERIALS : 0) |
                      (sizes ? SIZES : 0) | (p->holds ? HOLDS : 0) | (p->world ? 0 : RECORDED) |
                      (pouring != TL_POURING_NOTHING ? POURS : 0) |
                      (pouring > TL_POURING ? BLOCKED : 0));
}

tl_status live_write_frame(const live_picture *p, live_packet *out, tl_error *error) {
    const tl_scene *scene = p->scene;
    const tl_world_def *def = p->world ? tl_world_definition(p->world) : NULL;
    const tl_source_def *sources = def ? def->sources : scene->sources.items;
    const tl_wall_def *walls = scene->walls.items;
    const tl_frame_array *material =
        scene->materials.count > 1 ? tl_frame_find(p->frame, "material") : NULL;
    const tl_frame_array *size = tl_frame_find(p->frame, "size");
    const size_t n = p->frame->count, wall_count = scene->walls.count;
    const size_t source_count = scene->sources.count;
    const size_t rigid_count = p->world ? scene->rigid_count : 0;
    const tl_frame_array *body = rigid_count ? tl_frame_find(p->frame, "body") : NULL;
    const size_t poses = FRAME_HEAD + 8 * p->book_count;
    const size_t lights = poses + 28 * (wall_count + rigid_count);
    const size_t particles = lights + 12 * source_count, materials = particles + 8 * n;
    const size_t sizes = materials + (material ? n : 0), bodies = sizes + (size ? n : 0);
    ranges r;
    TL_TRY(reserve(out, bodies + (body ? n : 0), error));
    out->sequence = p->sequence;
    find_ranges(p, &r);
    PUT(out, 0, uint32_t, frame_mark, p->sequence);
    PUT(out, 8, double, p->frame->time, (double)p->frame->step);
    PUT(out, 24, uint64_t, p->hash);
    for (int k = 0; k < 3; k++) {
        PUT(out, 32 + 4 * k, float, (float)r.low[k]);
        PUT(out, 44 + 4 * k, float, (float)r.high[k]);
    }
    PUT(out, 56, float, (float)r.least, (float)r.most);
    PUT(out, 64, uint32_t, (uint32_t)n,
        (uint32_t)p->colour | (flags_of(p, material, size) | (body ? (uint32_t)BODIES : 0)) << 16,
        (uint32_t)p->book_count, (uint32_t)wall_count, (uint32_t)source_count);
    PUT(out, 84, float, (float)p->speed, (float)scene->spacing);
    PUT(out, 92, uint32_t, (uint32_t)rigid_count);
    if (p->book_count > 0)
        memcpy(out->bytes + FRAME_HEAD, p->books, 8 * p->book_count);
    for (size_t k = 0; k < wall_count; k++)
        put_pose(out, poses + 28 * k, pose_of_wall(p, &walls[k]));
    for (size_t k = 0; k < rigid_count; k++)
        put_pose(out, poses + 28 * (wall_count + k), tl_world_rigid_pose(p->world, k));
    for (size_t k = 0; k < source_count; k++) {
        const tl_vec3 place = k < p->frame->flame_count
                                  ? tl_vec3_of(p->frame->flame[k].at)
                                  : tl_source_place(&sources[k], p->frame->time);
        PUT(out, lights + 12 * k, float, (float)place.x, (float)place.y, (float)place.z);
    }
    write_particles(p, &r, out->bytes + particles);
    for (size_t i = 0; material && i < n; i++)
        out->bytes[materials + i] = (unsigned char)tl_frame_number(material, i);
    for (size_t i = 0; size && i < n; i++)
        out->bytes[sizes + i] = size_byte(tl_frame_number(size, i), scene->spacing);
    for (size_t i = 0; body && i < n; i++)
        out->bytes[bodies + i] = rigid_of(scene, (uint32_t)tl_frame_number(body, i));
    return TL_OK;
}

/* ---- Meshes -------------------------------------------------------------------------------- */

static bool has_mesh(const tl_wall_def *wall) {
    return !wall->hidden && !wall->has_box && wall->mesh.triangle_count > 0;
}

static tl_status write_mesh(const tl_mesh *mesh, size_t number, const float colour[3],
                            double opacity, live_packet *out, tl_error *error) {
    const size_t triangles = MESH_HEAD + 12 * mesh->vertex_count;
    TL_TRY(reserve(out, triangles + 12 * mesh->triangle_count, error));
    PUT(out, 0, uint32_t, mesh_mark, (uint32_t)number, (uint32_t)mesh->vertex_count,
        (uint32_t)mesh->triangle_count);
    PUT(out, 16, float, colour[0], colour[1], colour[2], (float)opacity);
    for (size_t v = 0; v < mesh->vertex_count; v++) {
        const tl_vec3 x = mesh->vertices[v];
        PUT(out, MESH_HEAD + 12 * v, float, (float)x.x, (float)x.y, (float)x.z);
    }
    memcpy(out->bytes + triangles, mesh->triangles, 12 * mesh->triangle_count);
    return TL_OK;
}

size_t live_mesh_count(const tl_scene *scene) { return scene->walls.count + scene->rigid_count; }

static const tl_material *material_of_rigid(const tl_scene *scene, size_t rigid) {
    const tl_body_def *body = (const tl_body_def *)scene->bodies.items + scene->rigids[rigid].body;
    const tl_material *materials = scene->materials.items;
    size_t m = 0;
    while (m + 1 < scene->materials.count && strcmp(materials[m].name, body->material) != 0)
        m++;
    return &materials[m];
}

tl_status live_write_mesh(const tl_scene *scene, size_t k, live_packet *out, tl_error *error) {
    if (k >= scene->walls.count) {
        const size_t rigid = k - scene->walls.count;
        return write_mesh(scene->rigids[rigid].mesh, k, material_of_rigid(scene, rigid)->colour, 1,
                          out, error);
    }
    const tl_wall_def *wall = (const tl_wall_def *)scene->walls.items + k;
    if (!has_mesh(wall))
        return TL_OK;
    return write_mesh(&wall->mesh, k, wall->colour,
                      wall->hollow ? fmin(wall->opacity, 0.25) : wall->opacity, out, error);
}

/* ---- What is known from the start ---------------------------------------------------------- */

/* Control characters have no place in JSON. */
static void quote(tl_text *out, const char *words) {
    char plain[512];
    size_t n = 0;
    for (; words && *words && n + 1 < sizeof plain; words++)
        if ((unsigned char)*words >= ' ')
            plain[n++] = *words;
    plain[n] = 0;
    tl_schema_quote(out, plain);
}

static void key(tl_text *out, const char *name, const char *words) {
    tl_text_print(out, "\"%s\":", name);
    quote(out, words ? words : "");
}

static void three(tl_text *out, const char *name, const double x[3]) {
    tl_text_print(out, "\"%s\":[%.9g,%.9g,%.9g]", name, x[0], x[1], x[2]);
}

static void colour(tl_text *out, const float rgb[3]) {
    tl_text_print(out, ",\"colour\":[%.4g,%.4g,%.4g]", (double)rgb[0], (double)rgb[1],
                  (double)rgb[2]);
}

static void add_fields(const live_picture *p, tl_text *out) {
    tl_text_print(out, ",\"fields\":[");
    for (size_t k = 0; k < p->frame->array_count; k++) {
        const tl_frame_array *a = &p->frame->array[k];
        tl_text_print(out, k ? ",{" : "{");
        key(out, "name", a->name);
        tl_text_print(out, ",\"components\":%d,", a->components);
        key(out, "unit", a->unit);
        tl_text_print(out, ",");
        key(out, "doc", a->doc);
        tl_text_print(out, "}");
    }
    tl_text_print(out, "]");
}

static void add_materials(const live_picture *p, tl_text *out) {
    const tl_scene *scene = p->scene;
    const tl_material *materials = scene->materials.items;
    tl_text_print(out, ",\"materials\":[");
    for (size_t k = 0; k < scene->materials.count; k++) {
        tl_text_print(out, k ? ",{" : "{");
        key(out, "name", materials[k].name);
        tl_text_print(out, ",\"pours\":%s",
                      p->world && tl_world_may_pour(p->world, k) ? "true" : "false");
        tl_text_print(out, ",\"roughness\":%.4g,\"translucency\":%.4g,\"clarity\":%.4g",
                      materials[k].look.roughness, materials[k].look.translucency,
                      materials[k].look.clarity);
        colour(out, materials[k].colour);
        tl_text_print(out, "}");
    }
    tl_text_print(out, "]");
}

static void add_shape(const tl_wall_def *w, tl_text *out) {
    const tl_vec3 side = tl_side_normal(w->plane);
    const double along[3] = {side.x, side.y, side.z};
    const double point[3] = {w->at * fabs(side.x), w->at * fabs(side.y), w->at * fabs(side.z)};
    if (has_mesh(w) && !(w->has_sphere && !w->hollow)) {
        tl_text_print(out, ",\"kind\":\"mesh\"");
    } else if (w->has_box) {
        tl_text_print(out, ",\"kind\":\"box\",\"filled\":%s,", w->outside ? "true" : "false");
        three(out, "from", w->box.from);
        tl_text_print(out, ",");
        three(out, "to", w->box.to);
    } else if (w->has_sphere) {
        tl_text_print(out, ",\"kind\":\"ball\",\"radius\":%.9g,", w->sphere.radius);
        three(out, "center", w->sphere.center);
    } else {
        tl_text_print(out, ",\"kind\":\"plane\",");
        three(out, "point", w->plane ? point : w->through);
        tl_text_print(out, ",");
        three(out, "normal", w->plane ? along : w->normal);
    }
}

static void add_walls(const tl_scene *scene, tl_text *out) {
    const tl_wall_def *walls = scene->walls.items;
    tl_text_print(out, ",\"walls\":[");
    for (size_t k = 0; k < scene->walls.count; k++) {
        tl_text_print(out, k ? ",{" : "{");
        key(out, "name", walls[k].name);
        tl_text_print(out, ",\"hidden\":%s,\"driven\":%.9g,\"opacity\":%.4g",
                      walls[k].hidden ? "true" : "false", walls[k].has_driven ? walls[k].driven : 0,
                      walls[k].opacity);
        add_shape(&walls[k], out);
        colour(out, walls[k].colour);
        tl_text_print(out, "}");
    }
    tl_text_print(out, "],\"rigids\":[");
    for (size_t k = 0; k < scene->rigid_count; k++) {
        const tl_body_def *body = (const tl_body_def *)scene->bodies.items + scene->rigids[k].body;
        tl_text_print(out, k ? ",{" : "{");
        key(out, "name", body->name);
        colour(out, material_of_rigid(scene, k)->colour);
        tl_text_print(out, "}");
    }
    tl_text_print(out, "],\"sources\":[");
    const tl_source_def *sources = scene->sources.items;
    for (size_t k = 0; k < scene->sources.count; k++) {
        tl_text_print(out, k ? ",{" : "{");
        key(out, "name", sources[k].name);
        tl_text_print(out, ",\"radius\":%.9g}", sources[k].radius);
    }
    tl_text_print(out, "]");
}

static void add_knobs(const live_picture *p, tl_text *out) {
    const size_t count = p->world ? tl_scene_knobs(p->scene, NULL, 0) : 0;
    tl_knob *knobs = count ? calloc(count, sizeof *knobs) : NULL;
    tl_text_print(out, ",\"knobs\":[");
    if (knobs)
        tl_scene_knobs(p->scene, knobs, count);
    for (size_t k = 0; knobs && k < count && k < MOST_KNOBS; k++) {
        tl_text_print(out, k ? ",{" : "{");
        key(out, "key", knobs[k].key);
        tl_text_print(out, ",\"value\":%.17g,\"min\":%.9g,\"max\":%.9g,", knobs[k].value,
                      knobs[k].min, knobs[k].max);
        key(out, "unit", knobs[k].unit);
        tl_text_print(out, ",");
        key(out, "doc", knobs[k].doc);
        tl_text_print(out, "}");
    }
    tl_text_print(out, "]");
    free(knobs);
}

static void add_books(tl_text *out) {
    tl_book book;
    tl_text_print(out, ",\"books\":[");
    for (size_t k = 0; tl_book_at(k, &book); k++) {
        tl_text_print(out, k ? ",{" : "{");
        key(out, "name", book.name);
        tl_text_print(out, ",");
        key(out, "unit", book.unit);
        tl_text_print(out, ",");
        key(out, "doc", book.doc);
        tl_text_print(out, "}");
    }
    tl_text_print(out, "]");
}

static void add_stage(const tl_scene *scene, tl_text *out) {
    tl_picture_stage stage;
    if (tl_picture_stage_make(scene, NULL, &stage, NULL) == TL_OK) {
        const tl_camera c = tl_picture_stage_camera(&stage, 0, 1280, 720);
        const tl_extent *e = &stage.extent;
        tl_text_print(out, ",\"camera\":{\"fov\":%.9g,", c.field_of_view);
        three(out, "from", (double[]){c.from.x, c.from.y, c.from.z});
        tl_text_print(out, ",");
        three(out, "look_at", (double[]){c.look_at.x, c.look_at.y, c.look_at.z});
        tl_text_print(out, "},\"extent\":{");
        three(out, "from", (double[]){e->from.x, e->from.y, e->from.z});
        tl_text_print(out, ",");
        three(out, "to", (double[]){e->to.x, e->to.y, e->to.z});
        tl_text_print(out, "}");
    }
    tl_picture_stage_free(&stage);
}

void live_write_hello(const live_picture *p, const char *name, tl_text *out) {
    const tl_scene *scene = p->scene;
    double gravity[3];
    memcpy(gravity, scene->gravity, sizeof gravity);
    if (p->world)
        tl_world_gravity(p->world, gravity);
    tl_text_print(out, "{\"type\":\"hello\",\"protocol\":1,\"number\":%u,", p->number);
    key(out, "version", tl_version());
    tl_text_print(out, ",");
    key(out, "scene", name);
    tl_text_print(out, ",");
    key(out, "title", scene->title);
    tl_text_print(out, ",\"live\":%s,\"spacing\":%.9g,\"duration\":%.9g,\"rate\":%.9g,",
                  p->world ? "true" : "false", scene->spacing, scene->duration, scene->frame_rate);
    three(out, "gravity", gravity);
    tl_text_print(out, ",\"colour_by\":%zu", p->colour);
    add_fields(p, out);
    add_materials(p, out);
    add_walls(scene, out);
    add_knobs(p, out);
    add_books(out);
    add_stage(scene, out);
    tl_text_print(out, "}");
}

void live_write_note(const char *kind, const char *words, tl_text *out) {
    tl_text_print(out, "{\"type\":\"note\",");
    key(out, "kind", kind);
    tl_text_print(out, ",");
    key(out, "words", words);
    tl_text_print(out, "}");
}
