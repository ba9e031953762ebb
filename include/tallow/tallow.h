/* Tallow: things that melt, flow, creep, stretch and harden, made of particles.
 *
 * The whole public interface. A program loads a scene, builds a world from it, steps the world and
 * reads or writes its fields in place:
 *
 *     tl_scene *scene;  tl_world *world;  tl_error error;
 *     if (tl_scene_load_file("dam.yaml", NULL, &scene, &error)) return complain(&error);
 *     if (tl_world_create(scene, NULL, &world, &error)) return complain(&error);
 *     while (tl_world_time(world) < 1.0)
 *         if (tl_world_step(world, NULL, &error)) return complain(&error);
 *
 * Conventions: SI units, °C. The library never exits or prints, and keeps no global state but a
 * pool of threads, which all worlds share. A function that can fail returns tl_status and, unless
 * the error pointer is NULL, fills tl_error. Objects made by `create` or `load` are freed by
 * `destroy`, which accepts NULL. A scene must outlive its worlds. One world may be used by one
 * thread at a time; different worlds do not show in one another. */
#ifndef TALLOW_H
#define TALLOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Errors ------------------------------------------------------------------------------------
 */

typedef enum tl_status {
    TL_OK = 0,
    TL_BAD_INPUT,   /* the scene, a file or an argument is wrong: the user can mend it */
    TL_NO_MEMORY,   /* an allocation failed or would not fit this machine */
    TL_IO_FAILED,   /* a file could not be read or written: disk full, permissions, ... */
    TL_DIVERGED,    /* a step stayed unacceptable however small: the physics blew up */
    TL_INTERRUPTED, /* the caller asked to stop */
    TL_DOUBTED,     /* a world warned of its results, and the caller wanted to stop then */
} tl_status;

/* What went wrong, where, and how to mend it. Unused parts are empty strings. */
typedef struct tl_error {
    tl_status status;
    char where[256]; /* "scene.yaml:12:5", a path, or a particle */
    char what[512];  /* one sentence */
    char fix[256];   /* one sentence: the nearest right thing to do */
} tl_error;

/* A word for a status: "bad input", "no memory", ... Never NULL. */
const char *tl_status_name(tl_status status);

/* ---- Logging -----------------------------------------------------------------------------------
 */

typedef enum tl_log_level { TL_LOG_DEBUG, TL_LOG_INFO, TL_LOG_WARNING, TL_LOG_ERROR } tl_log_level;

/* Receives each message of the library, without a trailing newline. */
typedef void tl_log_fn(void *context, tl_log_level level, const char *message);

typedef struct tl_log {
    tl_log_fn *write; /* NULL: messages are dropped */
    void *context;
    tl_log_level level; /* messages below this level are dropped */
} tl_log;

/* ---- Scenes ------------------------------------------------------------------------------------
 */

typedef struct tl_scene tl_scene;

/* One finding in a scene: an error or a warning with its place in the file. */
typedef struct tl_diagnostic {
    bool is_warning;
    char file[256];   /* file name, or "--set" for an override */
    int line, column; /* from 1; 0 when the finding has no place */
    char source[160]; /* the line of the file it stands on, for a caret line; may be cut */
    char what[384];
    char hint[256]; /* the nearest right word or range; may be empty */
} tl_diagnostic;

/* All findings of one load. Zero-initialise before use. */
typedef struct tl_diagnostics {
    tl_diagnostic *items;
    size_t count;
    size_t error_count;
} tl_diagnostics;

void tl_diagnostics_clear(tl_diagnostics *diagnostics);

/* How to load a scene. Zero-initialise for the defaults. */
typedef struct tl_scene_options {
    const char *const *overrides; /* "path.to.key=value" strings, applied in order */
    size_t override_count;
    tl_diagnostics *diagnostics; /* receives every finding, not only the first; may be NULL */
} tl_scene_options;

/* Reads, completes and checks a scene. The result is immutable.
 * path     a YAML file; names without a folder are also looked for on the scene path
 * options  NULL for the defaults */
tl_status tl_scene_load_file(const char *path, const tl_scene_options *options, tl_scene **out,
                             tl_error *error);

/* The same from memory. `name` stands for the file in messages. */
tl_status tl_scene_load_memory(const char *text, size_t size, const char *name,
                               const tl_scene_options *options, tl_scene **out, tl_error *error);

void tl_scene_destroy(tl_scene *scene);

const char *tl_scene_title(const tl_scene *scene);
double tl_scene_duration(const tl_scene *scene);   /* s */
double tl_scene_frame_rate(const tl_scene *scene); /* frames a second */
double tl_scene_spacing(const tl_scene *scene);    /* m */

/* Writes the complete scene, defaults included, as YAML that loads to the same scene. The text is
 * freed with free(). */
tl_status tl_scene_write(const tl_scene *scene, char **out, tl_error *error);

/* ---- Worlds ------------------------------------------------------------------------------------
 */

typedef struct tl_world tl_world;

/* How to build a world. Zero-initialise for the defaults. */
typedef struct tl_world_options {
    int threads; /* 0: as many as the machine has. The result does not depend on it. */
    tl_log log;
    bool steered; /* hands may act on it: see Steering */
} tl_world_options;

/* What one accepted step did. */
typedef struct tl_step_report {
    double time;          /* s, after the step */
    double dt;            /* s */
    uint64_t step;        /* number of accepted steps so far */
    int rejected;         /* attempts thrown away before this one */
    double max_speed;     /* m/s */
    double density_error; /* largest compression, relative to the rest density */
} tl_step_report;

/* Fills the scene's bodies with particles and evaluates the initial state. Says so before it starts
 * when the world would not fit into memory. */
tl_status tl_world_create(const tl_scene *scene, const tl_world_options *options, tl_world **out,
                          tl_error *error);
void tl_world_destroy(tl_world *world);

/* Advances by one step of the world's own choosing, never past `tl_world_set_stop`. A step that
 * blows up is repeated with a smaller dt; TL_DIVERGED means that this did not help, and names the
 * particle.
 * report  may be NULL */
tl_status tl_world_step(tl_world *world, tl_step_report *report, tl_error *error);

/* The next step ends no later than `time` (s); steps before it are evened out so that none is tiny.
 */
void tl_world_set_stop(tl_world *world, double time);

/* Steps until `time` (s) exactly. */
tl_status tl_world_advance(tl_world *world, double time, tl_error *error);

double tl_world_time(const tl_world *world);    /* s */
size_t tl_world_count(const tl_world *world);   /* particles */
uint64_t tl_world_steps(const tl_world *world); /* accepted steps */
uint64_t tl_world_hash(const tl_world *world);  /* of every saved bit: equal worlds, equal hashes */

/* ---- Warnings ----------------------------------------------------------------------------------
 */

/* A reason to doubt the results of a world. There is one of a kind at most, however often it comes
 * up; the first time is also told to the log. */
typedef struct tl_warning {
    char code[16];     /* a word: "crowding", "energy", "walls", "refusals" */
    char message[240]; /* one sentence with the worst value */
    double first_time; /* s, simulated */
    double worst;      /* largest value of what is looked at, a part of 1 */
    double limit;      /* beyond which it counts */
    uint64_t count;    /* how often it was found when it was looked for */
} tl_warning;

enum { TL_MOST_WARNINGS = 8 }; /* there are never more */

/* Copies the first `room` warnings of a world and returns how many there are. A world that is saved
 * and loaded keeps them. */
size_t tl_world_warnings(const tl_world *world, tl_warning *out, size_t room);

/* ---- Fields ------------------------------------------------------------------------------------
 */

typedef enum tl_type { TL_F32, TL_F64, TL_U8, TL_U32, TL_U64 } tl_type;

/* One array over all particles. `data` points into the world: writing it changes the world, and the
 * pointer is valid until the next step. Particle i starts at data + i * components * size of type.
 * Particles change place as they are sorted for speed: the field "id" names them for ever. */
typedef struct tl_field_view {
    const char *name, *unit, *doc;
    tl_type type;
    int components;
    size_t count;
    void *data;
    bool is_state; /* false: follows from other fields, so that what is written there is lost */
} tl_field_view;

size_t tl_world_field_count(const tl_world *world);

/* Looks a field up by number. False past the end. */
bool tl_world_field_at(tl_world *world, size_t index, tl_field_view *out);

/* Looks a field up by name: "position", "velocity", "density", "pressure", "id", ... False when the
 * world has no such field. */
bool tl_world_field(tl_world *world, const char *name, tl_field_view *out);

size_t tl_type_size(tl_type type); /* bytes */

/* Gives each particle the temperature (°C) of an array in the order of the fields; NaN leaves one
 * as it is. With heat, where temperatures follow from the field "enthalpy", that is set, and what
 * this brings in counts as if it had been there from the start. TL_BAD_INPUT, and nothing done,
 * when one is infinite or below absolute zero. */
tl_status tl_world_warm(tl_world *world, const float *temperatures, tl_error *error);

/* ---- Walls -------------------------------------------------------------------------------------
 */

/* A wall as it is now. */
typedef struct tl_wall_view {
    double shift[3];    /* m: from where the scene has it; of a driven wall, else zero */
    double velocity[3]; /* m/s: the same */
    double fastest;     /* m/s: that it may be driven at; 0: the scene does not let it be driven */
} tl_wall_view;

/* Looks a wall of the scene up by its name. False when there is none. */
bool tl_world_wall(const tl_world *world, const char *name, tl_wall_view *out);

/* From now on a wall moves at this velocity (m/s), until it is driven anew. The scene has to say
 * how fast it may be driven (`driven: 20 cm/s`). Where it is and how it moves is part of the state,
 * of snapshots and of the hash. */
tl_status tl_world_drive_wall(tl_world *world, const char *name, const double velocity[3],
                              tl_error *error);

/* ---- Steering ----------------------------------------------------------------------------------
 * What a program, or somebody in front of it, does to a world while it runs. All of this is part of
 * the state, of snapshots and of the hash: a world that is told the same at the same steps ends
 * with the same bits. But for tl_world_adopt it needs a world that was made `steered`, which has a
 * field for forces by hand; a snapshot of one is loaded by one. */

/* From now on a world has the live parameters of another scene (`tallow describe` marks them):
 * viscosities and rheologies, conductivities, temperatures of walls and of the air, powers, steps
 * and tolerances. The scene must be that of the world but for those: the same file, loaded with
 * other overrides. It must outlive the world, or the next scene that it adopts; the first scene
 * must outlive the world. TL_BAD_INPUT, and nothing done, when it is another one. */
tl_status tl_world_adopt(tl_world *world, const tl_scene *scene, tl_error *error);

/* A live parameter of a scene that is a single number. */
typedef struct tl_knob {
    char key[160]; /* as in overrides: "materials.wax.viscosity" */
    const char *unit, *doc;
    double value, min, max; /* min and max both 0: any finite value */
} tl_knob;

/* Copies the first `room` of them and returns how many there are. Where a parameter follows the
 * temperature, or time, by a table or a law, there is none. */
size_t tl_scene_knobs(const tl_scene *scene, tl_knob *out, size_t room);

/* From now on gravity (m/s²) is another. What this changes in potential energy counts as if it had
 * been so from the start. */
tl_status tl_world_set_gravity(tl_world *world, const double gravity[3], tl_error *error);
void tl_world_gravity(const tl_world *world, double out[3]);

/* Puts the middle of a heat source somewhere (m). From there it moves on as the scene has it.
 * Sources go by their names, or by their numbers from 0. */
tl_status tl_world_place_source(tl_world *world, const char *name, const double place[3],
                                tl_error *error);

/* A hand takes hold of the matter within `radius` (m) of a place, less firmly towards the edge, and
 * of nothing else any more: what it held before it lets go. `strength` (m/s²) is the most that it
 * accelerates what it holds. Rigid bodies are held by their particles. Returns how many particles
 * it holds in *caught, which may be NULL. */
tl_status tl_world_grip(tl_world *world, const double place[3], double radius, double strength,
                        size_t *caught, tl_error *error);

/* Moves the hand to a place (m): what it holds follows as if each particle hung on a damped spring
 * at its place in the hand, as far as its strength goes, and does not fall meanwhile. Its work is
 * the column field_work. */
tl_status tl_world_carry(tl_world *world, const double place[3], tl_error *error);

/* It holds nothing any more. */
void tl_world_let_go(tl_world *world);

/* What comes out of a tap that is held in a hand. */
typedef struct tl_stream {
    const char *material; /* the name of one that flows in the scene, or its number from 0 */
    double place[3];      /* m: of the middle of its mouth */
    double velocity[3];   /* m/s: its mouth faces that way */
    double radius;        /* m: of its mouth; a spacing or more */
    double temperature;   /* °C */
    size_t most;          /* particles in the world: with more, nothing comes */
} tl_stream;

/* Opens the tap, or moves it and changes what comes out, from now on. It gives π radius² |velocity|
 * m³/s; where walls or other matter are in the way it gives nothing. Mass, energy and momentum of
 * what it gives are in the columns of emitters. */
tl_status tl_world_pour(tl_world *world, const tl_stream *stream, tl_error *error);

/* Shuts it. */
void tl_world_stop_pouring(tl_world *world);

typedef enum tl_pouring {
    TL_POURING_NOTHING, /* it is shut */
    TL_POURING,
    TL_POURING_BLOCKED, /* something was in the way of the last layer */
    TL_POURING_FULL,    /* the world has as many particles as it may */
} tl_pouring;

/* What the tap does. */
tl_pouring tl_world_pouring(const tl_world *world);

/* ---- Books -------------------------------------------------------------------------------------
 */

/* A column of the ledger (docs/output.md). */
typedef struct tl_book {
    const char *name, *unit, *doc;
} tl_book;

/* Looks a column up by number. False past the end. */
bool tl_book_at(size_t index, tl_book *out);

/* Copies the first `room` numbers of the books as they stand now, in the order of the columns, and
 * returns how many there are. */
size_t tl_world_books(const tl_world *world, double *out, size_t room);

/* ---- Snapshots ---------------------------------------------------------------------------------
 */

/* Writes everything that the world is to an HDF5 file, whole or not at all. A world that goes on
 * from the file ends with the same bits as this one. */
tl_status tl_world_save(const tl_world *world, const char *path, tl_error *error);

/* Builds a world from `scene` and gives it the state of a snapshot of that scene. */
tl_status tl_world_load(const tl_scene *scene, const tl_world_options *options, const char *path,
                        tl_world **out, tl_error *error);

/* ---- Library -----------------------------------------------------------------------------------
 */

const char *tl_version(void); /* "0.1.0" */

/* The parameters of a part of scenes ("material", "wall", ...), or of all parts with NULL, as JSON:
 * a list of tables with name, doc and parameters. The text is freed with free(). */
tl_status tl_describe(const char *part, char **out, tl_error *error);

#ifdef __cplusplus
}
#endif
#endif
