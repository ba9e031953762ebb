/* The type of parameter tables. A parameter is declared once, in a table beside the struct that
 * holds it: name, type, default, range, unit and one line of doc. The scene reader, range checks,
 * --set, `tallow describe`, run.yaml and the docs all read these tables (src/scene/schema.h). */
#ifndef TL_BASE_PARAM_H
#define TL_BASE_PARAM_H

#include <stdbool.h>
#include <stddef.h>

/* Physical dimensions a number may carry. Files may use any unit of the dimension; structs hold SI
 * (temperatures °C). */
typedef enum tl_unit {
    TL_UNIT_NONE,
    TL_UNIT_LENGTH,          /* m */
    TL_UNIT_TIME,            /* s */
    TL_UNIT_MASS,            /* kg */
    TL_UNIT_TEMPERATURE,     /* °C */
    TL_UNIT_ANGLE,           /* rad */
    TL_UNIT_FREQUENCY,       /* 1/s */
    TL_UNIT_ANGULAR_SPEED,   /* rad/s */
    TL_UNIT_SPEED,           /* m/s */
    TL_UNIT_ACCELERATION,    /* m/s² */
    TL_UNIT_DENSITY,         /* kg/m³ */
    TL_UNIT_PRESSURE,        /* Pa: also stress */
    TL_UNIT_VISCOSITY,       /* Pa·s: dynamic */
    TL_UNIT_SURFACE_TENSION, /* N/m */
    TL_UNIT_MOLAR_ENERGY,    /* J/mol */
    TL_UNIT_CONDUCTIVITY,    /* W/(m·K): thermal */
    TL_UNIT_HEAT,            /* J/(kg·K): specific heat capacity */
    TL_UNIT_LATENT_HEAT,     /* J/kg */
    TL_UNIT_POWER,           /* W */
    TL_UNIT_ENERGY,          /* J */
    TL_UNIT_FORCE,           /* N */
    TL_UNIT_HEATING,         /* W/m³ */
    TL_UNIT_CONDUCTANCE,     /* W/(m²·K): of an interface */
    TL_UNIT_HEAT_CAPACITY,   /* J/K */
    TL_UNIT_VOLUME,          /* m³ */
    TL_UNIT_FLOW_RATE,       /* m³/s */
    TL_UNIT_MEMORY,          /* bytes */
    TL_UNIT_COUNT_
} tl_unit;

typedef enum tl_param_type {
    TL_PARAM_NUMBER,   /* double */
    TL_PARAM_INTEGER,  /* int64_t */
    TL_PARAM_SWITCH,   /* bool */
    TL_PARAM_CHOICE,   /* int: index into `choices` */
    TL_PARAM_TEXT,     /* char *: owned by the scene; NULL when absent */
    TL_PARAM_VECTOR,   /* double[3] */
    TL_PARAM_COLOUR,   /* float[3]: "#rrggbb", a colour word or [r, g, b] in 0..1 */
    TL_PARAM_SECTION,  /* a nested struct with a table of its own */
    TL_PARAM_LIST,     /* tl_param_list of structs, written as a YAML sequence */
    TL_PARAM_MAP,      /* tl_param_list of structs, written as a YAML mapping from name to struct;
                          the first member of the struct is char *name */
    TL_PARAM_LAW,      /* tl_law (materials/law.h): a number, or a mapping that tells how it depends
                          on the temperature */
    TL_PARAM_POINT,    /* double[2]: a temperature and a value */
    TL_PARAM_POINTS,   /* tl_param_list of double[2] */
    TL_PARAM_SCHEDULE, /* tl_schedule (base/schedule.h): a number, or [time, value] points */
} tl_param_type;

/* What LIST and MAP parameters are read into. The elements are owned by the scene. */
typedef struct tl_param_list {
    void *items;
    size_t count;
} tl_param_list;

typedef enum tl_param_flags {
    TL_PARAM_REQUIRED = 1,      /* the key must be given; there is no default */
    TL_PARAM_MIN_EXCLUSIVE = 2, /* the value must be > min rather than >= min */
    TL_PARAM_OPTIONAL = 4,      /* may be absent, and is not written then; `present` tells */
    TL_PARAM_OF_LAW = 8, /* a value inside a law: has unit and range of the law's parameter */
    TL_PARAM_IDLE = 16,  /* does not matter to the state: names for messages, what pictures show,
                            and names of files, whose contents matter; not in the fingerprint */
    TL_PARAM_LIVE = 32,  /* may change when a run goes on: it has no part in what the state is */
} tl_param_flags;

struct tl_param_table;

/* Kinds of a section that each have a table of their own: the word that stands under `key` is the
 * name of the table. The first member of the struct is an int, the index of the table. */
typedef struct tl_param_variants {
    const char *key;
    const char *const *words;                   /* NULL-terminated */
    const struct tl_param_table *const *tables; /* in the order of the words */
} tl_param_variants;

typedef struct tl_param {
    const char *name;
    tl_param_type type;
    size_t offset;              /* of the member, from offsetof */
    tl_unit unit;               /* of numbers and vectors */
    const char *default_value;  /* as it would stand in a file; NULL: zero / absent */
    double min, max;            /* of numbers and integers, inclusive; both 0: any finite value */
    unsigned flags;             /* tl_param_flags */
    const char *const *choices; /* NULL-terminated words of a CHOICE */
    const struct tl_param_table *table; /* of SECTION, LIST and MAP */
    const tl_param_variants *variants;  /* of a SECTION, instead of a table */
    const char *plain; /* of a SECTION: the key that a single value stands for; NULL: none */
    size_t present;    /* offset of a bool that tells whether the file had the key; 0: not wanted */
    const char *doc;   /* one line; starts with a capital, ends without a full stop */
} tl_param;

typedef struct tl_param_table {
    const char *name; /* what `tallow describe NAME` prints; a noun: "scene", "wall", ... */
    const char *doc;
    size_t size; /* of the struct */
    const tl_param *params;
    size_t count;
} tl_param_table;

/* The initialiser of a table for `type` with the parameters in the array `array`. */
#define TL_PARAM_TABLE(type, name_, doc_, array)                                                   \
    {                                                                                              \
        .name = name_, .doc = doc_, .size = sizeof(type), .params = array,                         \
        .count = sizeof array / sizeof array[0]                                                    \
    }

#endif
