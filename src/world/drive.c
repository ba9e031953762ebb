/* Walls that a program drives (boundary/drive.h). */
#include "base/text.h"
#include "world/state.h"

#include <stdio.h>
#include <string.h>

/* What rounding adds to a speed that is just allowed. */
static const double slack = 1 + 1e-9;

/* The index of a wall; wall_count: none is called so. */
static size_t find_wall(const tl_world *w, const char *name) {
    size_t k = 0;
    while (k < w->def.wall_count &&
           (!w->def.walls[k].name || strcmp(w->def.walls[k].name, name) != 0))
        k++;
    return k;
}

bool tl_world_drive_is_good(const tl_world *w, size_t wall) {
    const tl_drive *d = &w->shapes.drives[wall];
    const double fastest = w->def.walls[wall].driven * slack;
    return d->since >= 0 && d->since <= w->state.time && tl_vec3_length(d->velocity) <= fastest &&
           tl_vec3_length(d->shift) <= fastest * d->since;
}

bool tl_world_wall(const tl_world *w, const char *name, tl_wall_view *out) {
    const size_t k = find_wall(w, name);
    if (k == w->def.wall_count)
        return false;
    const tl_drive *d = &w->shapes.drives[k];
    const tl_vec3 shift = tl_drive_at(d, w->state.time);
    *out = (tl_wall_view){{shift.x, shift.y, shift.z},
                          {d->velocity.x, d->velocity.y, d->velocity.z},
                          w->def.walls[k].has_driven ? w->def.walls[k].driven : 0};
    return true;
}

/* No wall has that name; the nearest, of the first ones. */
static tl_status refuse_name(const tl_world *w, const char *name, tl_error *error) {
    const char *names[64], *nearest;
    char fix[160];
    size_t n = 0;
    for (size_t k = 0; k < w->def.wall_count && n < 64; k++)
        if (w->def.walls[k].name)
            names[n++] = w->def.walls[k].name;
    nearest = tl_nearest_word(name, names, n);
    snprintf(fix, sizeof fix, nearest ? "did you mean %.100s?" : "give the wall a name",
             nearest ? nearest : "");
    return tl_fail(error, TL_BAD_INPUT, "walls", fix, "there is no wall \"%.60s\"", name);
}

tl_status tl_world_drive_wall(tl_world *w, const char *name, const double velocity[3],
                              tl_error *error) {
    const size_t k = find_wall(w, name);
    if (k == w->def.wall_count)
        return refuse_name(w, name, error);
    const tl_wall_def *wall = &w->def.walls[k];
    const tl_vec3 v = tl_vec3_of(velocity);
    if (!wall->has_driven)
        return tl_fail(error, TL_BAD_INPUT, name,
                       "let the scene say how fast it may be driven: driven: 20 cm/s",
                       "the wall is not to be driven");
    if (!(tl_vec3_length(v) <= wall->driven * slack))
        return tl_fail(error, TL_BAD_INPUT, name, "drive it slower, or raise its driven",
                       "%g m/s are more than the %g m/s that it may be driven at",
                       tl_vec3_length(v), wall->driven);
    tl_drive_tell(&w->shapes.drives[k], w->state.time, v);
    /* Its way in the last step, which the length of the next goes by, as a resumed world has it. */
    tl_world_place_walls(w, w->state.time, w->state.dt);
    return TL_OK;
}
