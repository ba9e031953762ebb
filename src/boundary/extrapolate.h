/* What wall samples take on from the matter near them, so that it feels a wall there
 * (Adami, Hu & Adams 2012): sums over matter j with weight V_j W_wj,
 *
 *   ṽ = <v>,   no-slip v_w = 2 v_wall - ṽ;   free-slip: ṽ with the normal part mirrored;
 *   m_w = <m>,  V_w = <V> + <m g·(x_j - x_w)> / c² ρ0    compression goes on hydrostatically
 *   p_w = <p> - <β ρ g·(x_j - x_w)>,  μ_w = <μ>      hydrostatic across the surface
 *   S_w = <S>, if any; free-slip: mirrored, so that its mean has no shear along the wall.
 *
 * The rows of samples in the list must hold matter only (tl_keep_matter). */
#ifndef TL_BOUNDARY_EXTRAPOLATE_H
#define TL_BOUNDARY_EXTRAPOLATE_H

#include "boundary/samples.h"
#include "flow/body_force.h"
#include "flow/passes.h"

/* Takes wall samples out of the rows of wall samples. */
void tl_keep_matter(const tl_parallel *parallel, const tl_records *records, tl_neighbor_list *list);

typedef struct tl_extrapolation {
    const tl_shapes *shapes;
    const tl_samples *samples;
    tl_records *records;
    tl_vec3 origin; /* of the records' coordinates */
    tl_body_force force;
    float stiffness;                   /* Pa: c² ρ0 */
    float sample_mass, sample_density; /* of a sample beside no matter */
    float damping;                     /* α c h of the artificial viscosity, m²/s */
    bool pulls;                        /* let pressure be negative */
    double (*thrust)[3];               /* [samples] N: on the matter, out; NULL: nobody asks */
} tl_extrapolation;

/* Sets the velocities and densities of all samples (a-records). */
void tl_extrapolate_velocity(const tl_pass *pass, const tl_extrapolation *e);

/* What walls do to the matter. */
typedef struct tl_wall_action {
    double force[3];  /* N */
    double power;     /* W: of that force along the motion of the walls themselves */
    double numerical; /* W: what is neither in that nor in the books of the matter itself */
} tl_wall_action;

/* Sets the stresses of all samples (b-records, and c-records if any), and sums the action of the
 * walls on the matter. partial  [blocks of TL_BLOCK samples] working memory */
tl_wall_action tl_extrapolate_stress(const tl_pass *pass, const tl_extrapolation *e,
                                     tl_wall_action *partial);

#endif
