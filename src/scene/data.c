/* See data.h. */
#include "scene/data.h"

#include "base/array.h"
#include "base/file.h"
#include "base/text.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The k-th folder that data may be in, written to `out`; false past the last one. */
static bool folder_at(size_t k, char *out, size_t room) {
    const char *list = getenv("TALLOW_PATH");
    for (const char *at = list; at && *at; k--) {
        const size_t length = strcspn(at, ":");
        if (k == 0)
            return snprintf(out, room, "%.*s", (int)length, at) >= 0;
        at += length + (at[length] == ':');
    }
    const char *const folders[] = {TL_SOURCE_DIR, TL_DATA_DIR};
    k += !*folders[0]; /* a package has no sources */
    return k < 2 && snprintf(out, room, "%s", folders[k]) >= 0;
}

/* A name is a word, never a path: a scene cannot reach files elsewhere through it. */
static bool is_name(const char *name) {
    const size_t length = strlen(name);
    return length > 0 && length < 128 && name[0] != '.' &&
           strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.") ==
               length;
}

static tl_status refuse(const char *kind, const char *name, tl_error *error) {
    if (!error)
        return TL_BAD_INPUT;
    char **names;
    size_t count;
    TL_TRY(tl_data_list(kind, &names, &count, error));
    const char *nearest = tl_nearest_word(name, (const char *const *)names, count);
    char fix[200];
    if (nearest)
        snprintf(fix, sizeof fix, "did you mean %s?", nearest);
    else
        snprintf(fix, sizeof fix, "see `tallow list %s`", kind);
    tl_data_free_list(names);
    tl_text looked = {0};
    char folder[1024];
    for (size_t k = 0; folder_at(k, folder, sizeof folder); k++)
        tl_text_print(&looked, "%s%s/%s", k ? ", " : "", folder, kind);
    tl_fail(error, TL_BAD_INPUT, NULL, fix, "there is no %.*s called \"%.60s\" in %s",
            (int)strlen(kind) - 1, kind, name, looked.bytes ? looked.bytes : "");
    free(looked.bytes);
    return TL_BAD_INPUT;
}

tl_status tl_data_find(const char *kind, const char *name, char **path, tl_error *error) {
    char folder[1024];
    for (size_t k = 0; is_name(name) && folder_at(k, folder, sizeof folder); k++) {
        tl_text file = {0};
        tl_text_print(&file, "%s/%s/%s.yaml", folder, kind, name);
        if (file.failed) {
            free(file.bytes);
            return tl_fail_memory(error, 1, sizeof folder);
        }
        if (tl_file_exists(file.bytes)) {
            *path = file.bytes;
            return TL_OK;
        }
        free(file.bytes);
    }
    return refuse(kind, name, error);
}

static int compare_names(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

typedef struct name_list {
    char **names;
    size_t count;
} name_list;

/* `ending` is taken off the names; those that do not have it are passed over. */
static tl_status add_folder(name_list *list, const char *path, const char *ending,
                            tl_error *error) {
    DIR *folder = opendir(path);
    if (!folder)
        return TL_OK;
    tl_status status = TL_OK;
    for (struct dirent *entry; status == TL_OK && (entry = readdir(folder));) {
        const size_t length = strlen(entry->d_name), tail = strlen(ending);
        if (length <= tail || strcmp(entry->d_name + length - tail, ending) != 0 ||
            !is_name(entry->d_name))
            continue;
        status = TL_ARRAY_RESERVE(list->names, list->count, list->count + 2, error);
        char *name = status == TL_OK ? strndup(entry->d_name, length - tail) : NULL;
        if (name)
            list->names[list->count++] = name;
        else if (status == TL_OK)
            status = tl_fail_memory(error, length, 1);
    }
    closedir(folder);
    return status;
}

tl_status tl_data_list(const char *kind, char ***names, size_t *count, tl_error *error) {
    name_list list = {0};
    tl_status status = TL_ARRAY_RESERVE(list.names, 0, 1, error);
    char folder[1024], path[1200];
    for (size_t k = 0; status == TL_OK && folder_at(k, folder, sizeof folder); k++) {
        snprintf(path, sizeof path, "%s/%s", folder, kind);
        status = add_folder(&list, path, ".yaml", error);
    }
    if (status != TL_OK) {
        tl_data_free_list(list.names);
        return status;
    }
    if (list.count)
        qsort(list.names, list.count, sizeof *list.names, compare_names);
    size_t kept = 0;
    for (size_t i = 0; i < list.count; i++) {
        if (kept && strcmp(list.names[kept - 1], list.names[i]) == 0)
            free(list.names[i]);
        else
            list.names[kept++] = list.names[i];
    }
    list.names[kept] = NULL;
    *names = list.names;
    *count = kept;
    return TL_OK;
}

void tl_data_free_list(char **names) {
    for (size_t i = 0; names && names[i]; i++)
        free(names[i]);
    tl_array_free(names);
}

/* Folders of other packages. */
static const struct {
    const char *kind, *folder;
} packages[] = {
    {"meshes", "/usr/share/glmark2/models"},
    {"fonts", "/usr/share/fonts/truetype/dejavu"},
    {"fonts", "/usr/share/fonts/truetype/liberation"},
    {"fonts", "/usr/share/fonts/truetype/freefont"},
};

/* The k-th folder that files of a kind may be in; false past the last one. */
static bool file_folder_at(const char *kind, const char *beside, size_t k, char *out, size_t room) {
    if (k == 0) {
        const char *slash = beside ? strrchr(beside, '/') : NULL;
        return snprintf(out, room, "%.*s", slash ? (int)(slash - beside + !(slash - beside)) : 1,
                        slash ? beside : ".") >= 0;
    }
    char base[1024];
    size_t count = 1;
    for (size_t i = 0; folder_at(i, base, sizeof base); i++, count++)
        if (k == count)
            return snprintf(out, room, "%s/%s", base, kind) >= 0;
    for (size_t i = 0; i < sizeof packages / sizeof packages[0]; i++)
        if (strcmp(packages[i].kind, kind) == 0 && count++ == k)
            return snprintf(out, room, "%s", packages[i].folder) >= 0;
    return false;
}

static tl_status refuse_file(const char *kind, const char *name, const char *beside,
                             tl_error *error) {
    name_list list = {0};
    tl_text looked = {0};
    char folder[1200], fix[200] = "";
    tl_status status = TL_ARRAY_RESERVE(list.names, 0, 1, error);
    for (size_t k = 0; status == TL_OK && file_folder_at(kind, beside, k, folder, sizeof folder);
         k++) {
        tl_text_print(&looked, "%s%s", k ? ", " : "", folder);
        status = add_folder(&list, folder, "", error);
    }
    if (status == TL_OK) {
        const char *nearest = tl_nearest_word(name, (const char *const *)list.names, list.count);
        if (nearest)
            snprintf(fix, sizeof fix, "did you mean %s?", nearest);
        const char *one = strcmp(kind, "meshes") == 0  ? "mesh"
                          : strcmp(kind, "fonts") == 0 ? "font"
                                                       : "image";
        status = tl_fail(error, TL_BAD_INPUT, NULL, fix, "there is no %s \"%.100s\" in %s", one,
                         name, looked.bytes ? looked.bytes : "");
    }
    tl_data_free_list(list.names);
    free(looked.bytes);
    return status;
}

tl_status tl_data_find_file(const char *kind, const char *name, const char *beside, char **path,
                            tl_error *error) {
    char folder[1200];
    for (size_t k = 0; file_folder_at(kind, beside, k, folder, sizeof folder); k++) {
        const bool whole = name[0] == '/';
        tl_text file = {0};
        tl_text_print(&file, "%s%s%s", whole ? "" : folder, whole ? "" : "/", name);
        char *found =
            file.failed || !tl_file_exists(file.bytes) ? NULL : realpath(file.bytes, NULL);
        free(file.bytes);
        if (found) {
            *path = found;
            return TL_OK;
        }
    }
    return refuse_file(kind, name, beside, error);
}
