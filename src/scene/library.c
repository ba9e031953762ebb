/* See library.h. */
#include "scene/library.h"

#include "base/file.h"
#include "materials/rheology.h"
#include "scene/data.h"
#include "scene/schema.h"

#include <stdlib.h>
#include <string.h>

/* Materials that start from materials that start from ... */
enum { MAX_CHAIN = 8, MAX_KEYS = 256 };

static bool is_word(const tl_yaml_node *node) {
    return node && node->kind == TL_YAML_SCALAR && !tl_yaml_is_null(node);
}

/* `mapping` with one entry more or changed. */
static tl_yaml_node *with_entry(tl_arena *arena, const tl_yaml_node *mapping, const char *key,
                                const tl_yaml_node *at, const tl_yaml_node *value) {
    tl_yaml_node *copy =
        tl_yaml_is_null(mapping) ? tl_yaml_mapping(arena, at) : tl_yaml_copy(arena, mapping);
    const tl_yaml_node *word = tl_yaml_scalar(arena, at, key);
    return copy && word && value && tl_yaml_add(arena, copy, word, value) ? copy : NULL;
}

const tl_yaml_node *tl_library_adopt(tl_arena *arena, const tl_yaml_node *root, const char *name,
                                     const tl_yaml_node *at) {
    const tl_yaml_node *materials = tl_yaml_get(root, "materials");
    char *path;
    if ((root && root->kind != TL_YAML_MAPPING) ||
        (!tl_yaml_is_null(materials) && materials->kind != TL_YAML_MAPPING) ||
        tl_yaml_get(materials, name) || tl_data_find("materials", name, &path, NULL) != TL_OK)
        return root;
    free(path);
    const tl_yaml_node *place = at ? at : root;
    const tl_yaml_node *like = tl_yaml_scalar(arena, place, name);
    const tl_yaml_node *entry = like ? with_entry(arena, NULL, "like", place, like) : NULL;
    const tl_yaml_node *list = entry ? with_entry(arena, materials, name, place, entry) : NULL;
    return list ? with_entry(arena, root, "materials", place, list) : NULL;
}

/* Whether two mappings are of different kinds: their keys would not go together. */
static bool is_of_another_kind(const tl_yaml_node *base, const tl_yaml_node *over) {
    const char *const keys[] = {tl_rheology_variants.key, tl_law_variants.key};
    for (size_t k = 0; k < sizeof keys / sizeof keys[0]; k++) {
        const tl_yaml_node *a = tl_yaml_get(base, keys[k]), *b = tl_yaml_get(over, keys[k]);
        if (is_word(b) && !(is_word(a) && strcmp(a->text, b->text) == 0))
            return true;
    }
    return false;
}

/* `base` changed by what `over` says, section by section. */
static const tl_yaml_node *merge(tl_arena *arena, const tl_yaml_node *base,
                                 const tl_yaml_node *over) {
    if (!base || base->kind != TL_YAML_MAPPING || over->kind != TL_YAML_MAPPING ||
        over->count > MAX_KEYS || is_of_another_kind(base, over))
        return over;
    tl_yaml_node *merged = tl_yaml_copy(arena, base);
    if (!merged)
        return NULL;
    merged->source = over->source;
    merged->line = over->line;
    merged->column = over->column;
    for (size_t i = 0; i < over->count; i++) {
        const tl_yaml_node *key = over->entries[i].key;
        const tl_yaml_node *value =
            merge(arena, tl_yaml_get(base, key->text), over->entries[i].value);
        if (!value || !tl_yaml_add(arena, merged, key, value))
            return NULL;
    }
    return merged;
}

/* The tree of a library file; *out stays NULL when it was refused. */
static tl_status read_material(tl_arena *arena, tl_report *report, const tl_yaml_node *name,
                               const tl_yaml_node **out) {
    tl_error error = {0};
    char *path, *text;
    size_t size;
    tl_status status = tl_data_find("materials", name->text, &path, &error);
    if (status == TL_OK) {
        status = tl_file_read(path, TL_YAML_MAX_BYTES, &text, &size, &error);
        if (status != TL_OK)
            free(path);
    }
    if (status != TL_OK) {
        tl_report_error(report, name, error.fix, "%s", error.what);
        return status == TL_NO_MEMORY ? status : TL_OK;
    }
    tl_yaml_source *source = tl_arena_allocate(arena, 1, sizeof *source);
    if (source)
        *source = (tl_yaml_source){.file = tl_arena_text(arena, path, strlen(path)),
                                   .text = tl_arena_text(arena, text, size),
                                   .size = size};
    free(path);
    free(text);
    if (!source || !source->file || !source->text)
        return TL_NO_MEMORY;
    tl_yaml_problem problem;
    status = tl_yaml_parse(arena, source, out, &problem);
    if (status == TL_BAD_INPUT)
        tl_report_yaml(report, source, &problem);
    return status == TL_NO_MEMORY ? status : TL_OK;
}

static const tl_yaml_node *without(tl_arena *arena, const tl_yaml_node *material, const char *key) {
    tl_yaml_node *copy = tl_yaml_copy(arena, material);
    if (!copy)
        return NULL;
    copy->count = 0;
    for (size_t i = 0; i < material->count; i++)
        if (strcmp(material->entries[i].key->text, key) != 0)
            copy->entries[copy->count++] = material->entries[i];
    return copy;
}

/* A viscosity takes the place of a rheology, and the other way round; either is for all phases
 * unless it stands beside a viscosity of one. */
static const tl_yaml_node *without_replaced(tl_arena *arena, const tl_yaml_node *base,
                                            const tl_yaml_node *over) {
    static const char *const keys[] = {"viscosity", "rheology", "solid_viscosity",
                                       "liquid_viscosity"};
    const bool given[] = {tl_yaml_get(over, keys[0]), tl_yaml_get(over, keys[1])};
    const bool drop[] = {given[1], given[0], given[0] || given[1], given[0] || given[1]};
    for (int k = 0; k < 4 && base && base->kind == TL_YAML_MAPPING; k++)
        if (drop[k] && tl_yaml_get(base, keys[k]))
            base = without(arena, base, keys[k]);
    return base;
}

/* Which materials a material has been found to start from, and where they are looked for. */
typedef struct ancestry {
    const tl_yaml_node *scene; /* materials of the scene; NULL: in the library alone */
    const char *names[MAX_CHAIN];
    bool of_scene[MAX_CHAIN];
    int count;
} ancestry;

/* True when the chain goes on: `name`, of the scene or of the library, is new to it. */
static bool may_start_from(ancestry *a, tl_report *report, const tl_yaml_node *name,
                           bool of_scene) {
    for (int k = 0; k < a->count; k++)
        if (a->of_scene[k] == of_scene && strcmp(a->names[k], name->text) == 0) {
            tl_report_error(report, name, "let one of them stand on its own",
                            "the materials start from each other in a circle, by way of "
                            "\"%.60s\"",
                            name->text);
            return false;
        }
    if (a->count == MAX_CHAIN) {
        tl_report_error(report, name, NULL,
                        "more than %d materials start from each other in a chain", MAX_CHAIN);
        return false;
    }
    a->names[a->count] = name->text;
    a->of_scene[a->count++] = of_scene;
    return true;
}

/* A material with everything that it is like. A name means a material of the scene before one of
 * the library, but for the material of that name itself, which changes that of the library. */
static const tl_yaml_node *complete(tl_arena *arena, tl_report *report,
                                    const tl_yaml_node *material, ancestry *a) {
    const tl_yaml_node *like = tl_yaml_get(material, "like");
    if (!is_word(like))
        return material;
    const bool own_name = a->count > 0 && strcmp(a->names[a->count - 1], like->text) == 0;
    const tl_yaml_node *base = own_name ? NULL : tl_yaml_get(a->scene, like->text);
    if (!may_start_from(a, report, like, base != NULL))
        return material;
    if (!base) {
        a->scene = NULL; /* materials of the library know of no scene */
        if (read_material(arena, report, like, &base) != TL_OK)
            return NULL;
    }
    if (!base)
        return material;
    base = complete(arena, report, base, a);
    const tl_yaml_node *over = without(arena, material, "like");
    if (base)
        base = without_replaced(arena, base, material);
    return base && over ? merge(arena, base, over) : NULL;
}

/* A material of the scene, by its entry. */
static const tl_yaml_node *complete_entry(tl_arena *arena, tl_report *report,
                                          const tl_yaml_node *materials,
                                          const tl_yaml_entry *entry) {
    ancestry a = {.scene = materials, .names = {entry->key->text}, .of_scene = {true}, .count = 1};
    return complete(arena, report, entry->value, &a);
}

const tl_yaml_node *tl_library_resolve(tl_arena *arena, tl_report *report,
                                       const tl_yaml_node *root) {
    static const char *const users[] = {"bodies", "emitters"};
    for (int u = 0; u < 2; u++) {
        const tl_yaml_node *list = tl_yaml_get(root, users[u]);
        for (size_t i = 0; root && list && i < list->count && i < TL_SCHEMA_MAX_LIST; i++) {
            const tl_yaml_node *name = tl_yaml_get(list->entries[i].value, "material");
            if (is_word(name))
                root = tl_library_adopt(arena, root, name->text, name);
        }
    }
    const tl_yaml_node *materials = tl_yaml_get(root, "materials");
    if (!materials || materials->kind != TL_YAML_MAPPING || materials->count > TL_SCHEMA_MAX_LIST)
        return root;
    tl_yaml_node *list = tl_yaml_copy(arena, materials);
    for (size_t i = 0; list && i < list->count; i++) {
        list->entries[i].value = complete_entry(arena, report, materials, &materials->entries[i]);
        if (!list->entries[i].value)
            return NULL;
    }
    return list ? with_entry(arena, root, "materials", materials, list) : NULL;
}
