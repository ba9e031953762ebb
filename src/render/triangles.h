/* Triangles of meshes as the camera sees them. */
#ifndef TL_RENDER_TRIANGLES_H
#define TL_RENDER_TRIANGLES_H

#include "render/tile.h"

/* Turns the meshes of the scene to camera space and sorts their triangles to tiles. */
tl_status tl_triangles_build(const tl_parallel *parallel, tl_arena *arena, tl_view *view,
                             tl_error *error);

/* Draws the triangles of a tile, by its number, where they are nearer than what is there. */
void tl_triangles_draw(const tl_view *view, size_t number, tl_tile *tile);

/* Where a ray meets a triangle, with a normal that is smooth over edges that are not sharp. */
tl_surface tl_triangle_surface(const tl_view *view, size_t triangle, float x, float y);

/* The colour there, in linear light. */
tl_float3 tl_triangle_colour(const tl_view *view, size_t triangle, float x, float y);

#endif
