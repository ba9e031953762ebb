/* See space.h. */
#include "trace/space.h"

#include "render/glow.h"
#include "render/view.h"

#include <embree3/rtcore.h>
#include <string.h>

/* ---- Making -------------------------------------------------------------------------------- */

static tl_float3 place_of(const tl_space *space, tl_vec3 p) {
    return tl_float3_of(tl_vec3_sub(p, space->origin));
}

/* From behind, such a thing is not there. */
static void drop_back_faces(const struct RTCFilterFunctionNArguments *a) {
    const struct RTCRay *ray = (const struct RTCRay *)a->ray;
    const struct RTCHit *hit = (const struct RTCHit *)a->hit;
    if (ray->dir_x * hit->Ng_x + ray->dir_y * hit->Ng_y + ray->dir_z * hit->Ng_z > 0)
        a->valid[0] = 0;
}

static RTCGeometry new_triangles(tl_space *space, const tl_trace_mesh *mesh, tl_thing *thing) {
    RTCGeometry g = rtcNewGeometry(space->device, RTC_GEOMETRY_TYPE_TRIANGLE);
    float *vertices = rtcSetNewGeometryBuffer(g, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3,
                                              3 * sizeof(float), mesh->vertex_count);
    uint32_t *triangles = rtcSetNewGeometryBuffer(g, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3,
                                                  3 * sizeof(uint32_t), mesh->triangle_count);
    if (!vertices || !triangles) {
        rtcReleaseGeometry(g);
        return NULL;
    }
    memcpy(vertices, thing->vertices, mesh->vertex_count * sizeof *thing->vertices);
    memcpy(triangles, thing->triangles, mesh->triangle_count * sizeof *thing->triangles);
    if (mesh->one_sided) {
        rtcSetGeometryIntersectFilterFunction(g, drop_back_faces);
        rtcSetGeometryOccludedFilterFunction(g, drop_back_faces);
    }
    rtcCommitGeometry(g);
    return g;
}

static tl_float3 turned(const tl_pose *pose, const float *n) {
    const tl_vec3 v = {(double)n[0], (double)n[1], (double)n[2]};
    return tl_float3_unit(tl_float3_of(tl_turn_apply(pose->turn, v)));
}

/* The mean of the triangles around each vertex, weighted by their areas. */
static void find_normals(tl_thing *thing, size_t vertices, size_t triangles) {
    for (size_t t = 0; t < triangles; t++) {
        const uint32_t *c = thing->triangles[t];
        const tl_float3 a = thing->vertices[c[0]];
        const tl_float3 n = tl_float3_cross(tl_float3_sub(thing->vertices[c[1]], a),
                                            tl_float3_sub(thing->vertices[c[2]], a));
        for (int k = 0; k < 3; k++)
            thing->normals[c[k]] = tl_float3_add(thing->normals[c[k]], n);
    }
    for (size_t i = 0; i < vertices; i++)
        thing->normals[i] = tl_float3_unit(thing->normals[i]);
}

static tl_status copy_mesh(tl_space *space, const tl_trace_mesh *mesh, tl_thing *thing,
                           tl_error *error) {
    const size_t n = mesh->vertex_count;
    tl_arena *arena = &space->arena;
    thing->vertices = tl_arena_allocate(arena, n, sizeof *thing->vertices);
    thing->triangles = tl_arena_allocate(arena, mesh->triangle_count, sizeof *thing->triangles);
    thing->normals = tl_arena_allocate(arena, n, sizeof *thing->normals);
    if (mesh->colours)
        thing->colours = tl_arena_allocate(arena, n, sizeof *thing->colours);
    const bool glows = mesh->temperatures && mesh->matter.glows;
    if (glows)
        thing->glow = tl_arena_allocate(arena, n, sizeof *thing->glow);
    if (!thing->vertices || !thing->triangles || !thing->normals ||
        (mesh->colours && !thing->colours) || (glows && !thing->glow))
        return tl_fail_memory(error, n, sizeof *thing->vertices);
    memcpy(thing->triangles, mesh->triangles, mesh->triangle_count * sizeof *thing->triangles);
    for (size_t i = 0; i < n; i++) {
        const tl_vec3 at = tl_pose_apply(&mesh->pose, mesh->vertices[i]);
        if (!tl_vec3_finite(at))
            return tl_fail(error, TL_BAD_INPUT, "trace", NULL, "a vertex is not a place");
        thing->vertices[i] = place_of(space, at);
        if (mesh->normals)
            thing->normals[i] = turned(&mesh->pose, &mesh->normals[3 * i]);
        if (mesh->colours)
            thing->colours[i] = tl_linear(&mesh->colours[3 * i]);
        if (glows)
            thing->glow[i] = tl_glow_at(&space->glow, mesh->temperatures[i]);
    }
    thing->has_edges = !mesh->normals;
    if (!mesh->normals)
        find_normals(thing, n, mesh->triangle_count);
    return TL_OK;
}

static tl_status attach(RTCScene scene, RTCGeometry g, unsigned number, tl_error *error) {
    if (!g)
        return tl_fail(error, TL_NO_MEMORY, "embree", NULL, "no memory for rays to meet things");
    rtcAttachGeometryByID(scene, g, number);
    return TL_OK;
}

static RTCScene new_scene(tl_space *space) {
    RTCScene scene = rtcNewScene(space->device);
    rtcSetSceneFlags(scene, RTC_SCENE_FLAG_ROBUST);
    rtcSetSceneBuildQuality(scene, RTC_BUILD_QUALITY_MEDIUM);
    return scene;
}

static tl_status add_mesh(tl_space *space, const tl_trace_mesh *mesh, tl_error *error) {
    const unsigned number = (unsigned)space->thing_count;
    tl_thing *thing = &space->things[space->thing_count++];
    tl_substance *substance = tl_arena_allocate(&space->arena, 1, sizeof *substance);
    if (!substance)
        return tl_fail_memory(error, 1, sizeof *substance);
    tl_substance_make(&mesh->matter, substance);
    thing->substance = substance;
    if (mesh->triangle_count == 0)
        return TL_OK;
    TL_TRY(copy_mesh(space, mesh, thing, error));
    space->is_opaque = space->is_opaque && substance->clarity == 0;
    RTCGeometry g = new_triangles(space, mesh, thing);
    tl_status status = attach(space->scene, g, number, error);
    if (status == TL_OK && substance->path > 0) {
        thing->alone = new_scene(space);
        status = attach(thing->alone, g, number, error);
        rtcCommitScene(thing->alone);
    }
    if (g)
        rtcReleaseGeometry(g);
    return status;
}

static tl_status add_sphere(tl_space *space, const tl_trace_sphere *sphere, tl_error *error) {
    const unsigned number = (unsigned)space->thing_count;
    tl_thing *thing = &space->things[space->thing_count++];
    tl_substance *substance = tl_arena_allocate(&space->arena, 1, sizeof *substance);
    thing->vertices = tl_arena_allocate(&space->arena, 1, sizeof *thing->vertices);
    if (!substance || !thing->vertices)
        return tl_fail_memory(error, 1, sizeof *substance);
    tl_substance_make(&sphere->matter, substance);
    substance->path = 0;
    thing->substance = substance;
    *thing->vertices = place_of(space, sphere->center);
    space->is_opaque = space->is_opaque && substance->clarity == 0;
    RTCGeometry g = rtcNewGeometry(space->device, RTC_GEOMETRY_TYPE_SPHERE_POINT);
    float *at = rtcSetNewGeometryBuffer(g, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT4,
                                        4 * sizeof(float), 1);
    if (at) {
        memcpy(at, thing->vertices, 3 * sizeof(float));
        at[3] = (float)sphere->radius;
        rtcCommitGeometry(g);
    }
    const tl_status status = attach(space->scene, at ? g : NULL, number, error);
    rtcReleaseGeometry(g);
    return status;
}

static tl_status add_plane(tl_space *space, const tl_trace_plane *plane, tl_error *error) {
    const float u = (float)tl_vec3_length(plane->half_u), v = (float)tl_vec3_length(plane->half_v);
    tl_substance *substance = tl_arena_allocate(&space->arena, 1, sizeof *substance);
    if (!substance)
        return tl_fail_memory(error, 1, sizeof *substance);
    tl_substance_make(&plane->matter, substance);
    substance->path = 0;
    tl_flat *flat = &space->flats[space->flat_count++];
    *flat = (tl_flat){.substance = substance,
                      .normal = tl_float3_of(tl_vec3_unit(plane->normal)),
                      .middle = place_of(space, plane->point),
                      .u = tl_float3_unit(tl_float3_of(plane->half_u)),
                      .v = tl_float3_unit(tl_float3_of(plane->half_v)),
                      .half_u = u > 0 ? u : INFINITY,
                      .half_v = v > 0 ? v : INFINITY,
                      .fade = (float)plane->fade};
    flat->offset = tl_float3_dot(flat->normal, flat->middle);
    return TL_OK;
}

static tl_status add_things(tl_space *space, const tl_trace_scene *scene, tl_error *error) {
    const size_t things = scene->mesh_count + scene->sphere_count;
    space->things = tl_arena_allocate(&space->arena, things + 1, sizeof *space->things);
    space->flats = tl_arena_allocate(&space->arena, scene->plane_count + 1, sizeof *space->flats);
    if (!space->things || !space->flats)
        return tl_fail_memory(error, things, sizeof *space->things);
    for (size_t i = 0; i < scene->mesh_count; i++)
        TL_TRY(add_mesh(space, &scene->meshes[i], error));
    for (size_t i = 0; i < scene->sphere_count; i++)
        TL_TRY(add_sphere(space, &scene->spheres[i], error));
    for (size_t i = 0; i < scene->plane_count; i++)
        TL_TRY(add_plane(space, &scene->planes[i], error));
    return TL_OK;
}

tl_status tl_space_make(const tl_trace_scene *scene, const tl_camera *camera, tl_space *out,
                        tl_error *error) {
    *out = (tl_space){.origin = camera->look_at, .is_opaque = true};
    /* The tree that one thread builds is always the same one. */
    out->device = rtcNewDevice("threads=1");
    if (!out->device)
        return tl_fail(error, TL_BAD_INPUT, "embree", NULL,
                       "Embree does not start on this processor");
    out->scene = new_scene(out);
    tl_glow_make(&out->glow, scene->hottest);
    out->size = (float)tl_vec3_length(tl_vec3_sub(camera->from, camera->look_at));
    TL_TRY(add_things(out, scene, error));
    rtcCommitScene(out->scene);
    if (rtcGetDeviceError(out->device) != RTC_ERROR_NONE)
        return tl_fail(error, TL_NO_MEMORY, "embree", NULL, "Embree cannot hold the scene");
    return TL_OK;
}

void tl_space_free(tl_space *space) {
    for (size_t i = 0; i < space->thing_count; i++)
        if (space->things[i].alone)
            rtcReleaseScene(space->things[i].alone);
    if (space->scene)
        rtcReleaseScene(space->scene);
    if (space->device)
        rtcReleaseDevice(space->device);
    tl_arena_free(&space->arena);
    *space = (tl_space){0};
}

/* ---- Meeting ------------------------------------------------------------------------------- */

static struct RTCRay ray_of(const tl_ray *ray) {
    return (struct RTCRay){.org_x = ray->from.x,
                           .org_y = ray->from.y,
                           .org_z = ray->from.z,
                           .dir_x = ray->along.x,
                           .dir_y = ray->along.y,
                           .dir_z = ray->along.z,
                           .tfar = ray->limit,
                           .mask = UINT32_MAX};
}

static bool intersect(struct RTCSceneTy *scene, const tl_ray *ray, struct RTCRayHit *out) {
    struct RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    out->ray = ray_of(ray);
    out->hit.geomID = RTC_INVALID_GEOMETRY_ID;
    rtcIntersect1(scene, &context, out);
    return out->hit.geomID != RTC_INVALID_GEOMETRY_ID;
}

static tl_float3 blend(const tl_float3 *values, const uint32_t corner[3], float u, float v) {
    tl_float3 sum = tl_float3_scale(values[corner[0]], 1 - u - v);
    sum = tl_float3_mad(sum, u, values[corner[1]]);
    return tl_float3_mad(sum, v, values[corner[2]]);
}

static tl_float3 smooth_normal(const tl_thing *thing, const uint32_t corner[3], tl_float3 face,
                               float u, float v) {
    const float shares[3] = {1 - u - v, u, v};
    tl_float3 sum = {0, 0, 0};
    for (int k = 0; k < 3; k++) {
        const tl_float3 n = thing->normals[corner[k]];
        const bool is_sharp = thing->has_edges && tl_float3_dot(n, face) < 0.8f;
        sum = tl_float3_mad(sum, shares[k], is_sharp ? face : n);
    }
    return tl_float3_unit(sum);
}

static void describe_triangle(const struct RTCHit *hit, tl_meeting *m) {
    const uint32_t *corner = m->thing->triangles[hit->primID];
    const float u = hit->u, v = hit->v;
    m->place = blend(m->thing->vertices, corner, u, v); /* nearer to the plane than along the ray */
    m->normal = smooth_normal(m->thing, corner, m->face, u, v);
    if (m->thing->colours)
        m->colour = blend(m->thing->colours, corner, u, v);
    if (m->thing->glow)
        m->glow = blend(m->thing->glow, corner, u, v);
}

static void describe(const tl_thing *thing, const tl_ray *ray, const struct RTCRayHit *met,
                     tl_meeting *m) {
    const struct RTCHit *hit = &met->hit;
    const tl_float3 face = tl_float3_unit((tl_float3){hit->Ng_x, hit->Ng_y, hit->Ng_z});
    *m = (tl_meeting){.substance = thing->substance,
                      .thing = thing,
                      .distance = met->ray.tfar,
                      .place = tl_float3_mad(ray->from, met->ray.tfar, ray->along),
                      .face = face,
                      .normal = face,
                      .colour = thing->substance->colour};
    if (thing->triangles)
        describe_triangle(hit, m);
}

/* The distance to a plane; infinite when the ray misses it or comes from behind. */
static float flat_distance(const tl_flat *flat, const tl_ray *ray) {
    const float slope = tl_float3_dot(flat->normal, ray->along);
    const float height = tl_float3_dot(flat->normal, ray->from) - flat->offset;
    if (slope >= 0 || height <= 0)
        return INFINITY;
    const float distance = -height / slope;
    const tl_float3 p = tl_float3_sub(tl_float3_mad(ray->from, distance, ray->along), flat->middle);
    const bool is_in = fabsf(tl_float3_dot(p, flat->u)) <= flat->half_u &&
                       fabsf(tl_float3_dot(p, flat->v)) <= flat->half_v;
    return is_in ? distance : INFINITY;
}

static void describe_flat(const tl_flat *flat, const tl_ray *ray, float distance, tl_meeting *m) {
    tl_float3 p = tl_float3_mad(ray->from, distance, ray->along);
    p = tl_float3_mad(p, flat->offset - tl_float3_dot(p, flat->normal), flat->normal);
    *m = (tl_meeting){.substance = flat->substance,
                      .distance = distance,
                      .place = p,
                      .face = flat->normal,
                      .normal = flat->normal,
                      .colour = flat->substance->colour};
    if (flat->fade > 0)
        m->fade = tl_smoothstep(flat->fade, 4 * flat->fade, sqrtf(tl_float3_dot(p, p)));
}

bool tl_space_meet(const tl_space *space, const tl_ray *ray, tl_meeting *out) {
    struct RTCRayHit met;
    const bool is_met = intersect(space->scene, ray, &met);
    float nearest = is_met ? met.ray.tfar : ray->limit;
    const tl_flat *flat = NULL;
    for (size_t i = 0; i < space->flat_count; i++) {
        const float distance = flat_distance(&space->flats[i], ray);
        if (distance < nearest)
            nearest = distance, flat = &space->flats[i];
    }
    if (flat)
        describe_flat(flat, ray, nearest, out);
    else if (is_met)
        describe(&space->things[met.hit.geomID], ray, &met, out);
    return flat || is_met;
}

bool tl_space_blocks(const tl_space *space, const tl_ray *ray) {
    struct RTCIntersectContext context;
    struct RTCRay r = ray_of(ray);
    for (size_t i = 0; i < space->flat_count; i++)
        if (flat_distance(&space->flats[i], ray) < ray->limit)
            return true;
    rtcInitIntersectContext(&context);
    rtcOccluded1(space->scene, &context, &r);
    return r.tfar < 0;
}

bool tl_thing_meet(const tl_thing *thing, const tl_ray *ray, tl_meeting *out) {
    struct RTCRayHit met;
    if (!intersect(thing->alone, ray, &met))
        return false;
    describe(thing, ray, &met, out);
    return true;
}
