/* Enthalpy: the heat in a kilogram, e(T), and back, T(e). Both are pieces of lines,
 *
 *   solid   e = c_s T                                          below the solidus, T in °C
 *   mushy   e = e_s + f (L + ½ (c_s + c_l)(T_l - T_s))         f = (T - T_s) / (T_l - T_s)
 *   liquid  e = e_l + c_l (T - T_l)                            up to the boiling temperature
 *   boiling e from e_b to e_b + L_v at T_b
 *   gas     e = e_g + c_g (T - T_b)
 *
 * and each other's inverse. The liquid fraction f is linear in temperature over the melting range;
 * where solidus and liquidus are one, melting takes the latent heat L at one temperature, and f is
 * linear in e. Matter melts and freezes at the same temperatures: there is no supercooling. */
#ifndef TL_MATERIALS_ENTHALPY_H
#define TL_MATERIALS_ENTHALPY_H

#include "base/error.h"
#include "materials/material.h"

typedef enum tl_phase { TL_PHASE_SOLID, TL_PHASE_MUSHY, TL_PHASE_LIQUID, TL_PHASE_GAS } tl_phase;

/* The pieces of e(T), which begin at these enthalpies. */
enum { TL_PIECES = 5 };

/* The caloric curve of a material, made ready. */
typedef struct tl_caloric {
    int pieces;
    double start[TL_PIECES];       /* J/kg: where a piece begins; the first has no beginning */
    double temperature[TL_PIECES]; /* °C: there; for the first, at e = 0 */
    double slope[TL_PIECES];       /* K kg/J: dT/de; 0 where latent heat is taken up */
    double base[TL_PIECES];        /* J/kg: the enthalpy that `temperature` belongs to */
    bool melts, boils;
    double solidus, liquidus; /* J/kg */
    double gas;               /* J/kg: where all has boiled; infinite if it never does */
    double conductivity[2];   /* W/(m·K): of the solid and of the liquid */
    double least_heat;        /* J/(kg·K): the smallest specific heat of all pieces */
} tl_caloric;

/* The curve of a material. TL_BAD_INPUT when its values make none; `where` is its name. */
tl_status tl_caloric_make(const tl_material *material, tl_caloric *out, tl_error *error);

/* e(T). At a temperature where latent heat is taken up, the lower end. */
double tl_enthalpy_at(const tl_caloric *caloric, double temperature);

/* T(e). */
double tl_temperature_at(const tl_caloric *caloric, double enthalpy);

/* The piece that e is on; at a corner the one towards `direction` (its sign counts). */
int tl_caloric_piece(const tl_caloric *caloric, double enthalpy, double direction);

/* 0 in the solid, 1 in the liquid and beyond. A material that does not melt is liquid. */
double tl_liquid_fraction(const tl_caloric *caloric, double enthalpy);

tl_phase tl_phase_at(const tl_caloric *caloric, double enthalpy);

/* Of solid and liquid, mixed by the liquid fraction. */
double tl_conductivity_at(const tl_caloric *caloric, double enthalpy);

#endif
