/* `tallow new`: a commented scene to begin with. */
#include "base/file.h"
#include "base/text.h"
#include "command.h"
#include "scene/data.h"
#include "terminal.h"

#include <stdlib.h>
#include <string.h>

/* What all of them end with. */
#define MEASURES                                                                                   \
    "\n# Numbers over time, in measures.csv: `tallow plot` draws them.\n"                          \
    "measures:\n  - {name: all}                        # mass, centre, height, spread of all\n"

static const struct kind {
    const char *name, *doc, *text;
} kinds[] = {
    {"drop", "a ball of liquid falls on a floor",
     "spacing: 4 mm              # of particles: half of it is finer, and eight times as many\n"
     "duration: 1 s\n"
     "\n"
     "# Materials of the library (`tallow list materials`) need not stand here. This one is "
     "changed.\n"
     "materials:\n"
     "  liquid: {like: honey, colour: \"#e0a030\"}   # add viscosity: 2 Pa·s, density: 1300 kg/m³, "
     "...\n\n"
     "bodies:\n"
     "  - name: ball\n"
     "    material: liquid\n"
     "    sphere: {center: [0, 0, 6 cm], radius: 2.5 cm}   # or box, cylinder, mesh, text, ...\n"
     "    velocity: [0, 0, -0.5 m/s]\n\n"
     "walls:\n"
     "  - {name: floor, plane: z, at: 0}           # the matter is above; contact: free-slip lets "
     "it glide\n" MEASURES
     "  - {name: floor, wall: floor}         # force, torque, contact area\n"},
    {"melt", "a block melts on a hot plate",
     "spacing: 4 mm\n"
     "duration: 20 s\n"
     "\n"
     "# Heat is exchanged, with the air as well.\n"
     "heat: {ambient: 20 °C, convection: 10 W/(m²·K), speed: 20}   # speed: heat runs 20 times as "
     "fast\n\n"
     "bodies:\n"
     "  - name: block\n"
     "    material: paraffin\n"
     "    box: {from: [-2 cm, -2 cm, 0], to: [2 cm, 2 cm, 4 cm]}\n"
     "    temperature: 20 °C\n\n"
     "walls:\n"
     "  - {name: plate, plane: z, at: 0, temperature: 120 °C}      # or a table: [[0 s, 20], [60 "
     "s, 120]]\n" MEASURES
     "  - {name: plate, wall: plate}         # heat that it has given, with a minus\n"
     "  - {name: middle, point: [0, 0, 2 cm], field: temperature}\n"},
    {"pour", "a liquid is poured into a tank",
     "spacing: 5 mm\n"
     "duration: 3 s\n"
     "\n"
     "emitters:\n"
     "  - name: tap\n"
     "    material: honey\n"
     "    disc: {center: [0, 0, 15 cm], direction: [0, 0, -1], radius: 1 cm}\n"
     "    flow_rate: 60 mL/s\n"
     "    until: 2 s\n\n"
     "walls:\n"
     "  - {name: tank, box: {from: [-5 cm, -5 cm, 0], to: [5 cm, 5 cm, 12 cm]}, open: z}\n" MEASURES
     "  - {name: jet, plane: {through: [0, 0, 10 cm], normal: [0, 0, -1]}}   # what flows "
     "through\n"},
    {"slump", "a pile that keeps some of its shape",
     "spacing: 5 mm\n"
     "duration: 2 s\n"
     "\n"
     "# It flows only where it is pushed harder than its yield stress (`tallow describe "
     "bingham`).\n"
     "materials:\n"
     "  paste:\n"
     "    density: 1200 kg/m³\n"
     "    rheology: {model: bingham, yield_stress: 80 Pa, plastic_viscosity: 5 Pa·s, "
     "plateau_viscosity: 5000 Pa·s}\n"
     "    colour: \"#b0a090\"\n\n"
     "bodies:\n"
     "  - name: pile\n"
     "    material: paste\n"
     "    cylinder: {from: [0, 0, 0], to: [0, 0, 8 cm], radius: 3 cm}\n\n"
     "walls:\n"
     "  - {name: floor, plane: z, at: 0}\n" MEASURES},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static const struct kind *find_kind(const char *name) {
    const char *names[KINDS];
    for (size_t k = 0; k < KINDS; k++) {
        names[k] = kinds[k].name;
        if (strcmp(kinds[k].name, name) == 0)
            return &kinds[k];
    }
    const char *nearest = tl_nearest_word(name, names, KINDS);
    if (nearest)
        cli_complain("there is no kind %s; did you mean %s?", name, nearest);
    else
        cli_complain("there is no kind %s; there are drop, melt, pour and slump", name);
    return NULL;
}

/* Where editors find the schema: beside the scenes of the library. */
static void print_modeline(tl_text *out) {
    char *path = NULL, *slash;
    if (tl_data_find("scenes", "drop", &path, NULL) == TL_OK && (slash = strrchr(path, '/')))
        tl_text_print(out, "# yaml-language-server: $schema=%.*s/scene.schema.json\n",
                      (int)(slash - path), path);
    free(path);
}

static tl_status write_scene(const char *path, const struct kind *kind, tl_error *error) {
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    tl_text text = {0};
    tl_file file;
    print_modeline(&text);
    tl_text_print(&text,
                  "# A scene of Tallow: %s. Every key is told by `tallow describe`.\n"
                  "title: \"%.*s\"\n%s",
                  kind->doc, (int)(strlen(name) - strlen(".yaml")), name, kind->text);
    tl_status status =
        text.failed ? tl_fail_memory(error, 1, text.length) : tl_file_begin(&file, path, error);
    if (status == TL_OK) {
        fwrite(text.bytes, 1, text.length, file.stream);
        status = tl_file_commit(&file, error);
    }
    free(text.bytes);
    return status;
}

int cli_new(const cli_arguments *arguments) {
    const char *like = cli_value(arguments, "like");
    const struct kind *kind = find_kind(like ? like : "drop");
    char path[1024];
    tl_error error = {0};
    if (!kind)
        return CLI_BAD_INPUT;
    const char *name = arguments->words[0], *dot = strrchr(name, '.');
    snprintf(path, sizeof path, "%s%s", name, dot && strcmp(dot, ".yaml") == 0 ? "" : ".yaml");
    if (strpbrk(name, "\"\\\n")) {
        cli_complain("%s cannot be the name of a scene", name);
        return CLI_BAD_INPUT;
    }
    if (tl_file_exists(path)) {
        cli_complain("%s is there already; choose another name, or remove it", path);
        return CLI_BAD_INPUT;
    }
    const tl_status status = write_scene(path, kind, &error);
    if (status != TL_OK)
        cli_complain_error(&error);
    else if (!cli_has(arguments, "quiet"))
        printf("%s: %s\nto run it: tallow run %s\n", path, kind->doc, path);
    return cli_exit_code(status);
}
