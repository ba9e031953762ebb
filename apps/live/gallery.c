/* See gallery.h. Titles are read off the files: to load all scenes would take too long. */
#include "gallery.h"

#include "base/file.h"
#include "scene/data.h"
#include "scene/schema.h"
#include "scene/yaml.h"

#include <stdlib.h>
#include <string.h>

/* What stands after "title:" at the start of a line, without quotes; in `text` itself. */
static const char *title_in(char *text) {
    static const char key[] = "title:";
    for (char *line; (line = strsep(&text, "\n"));) {
        if (strncmp(line, key, sizeof key - 1) != 0)
            continue;
        line += sizeof key - 1;
        line += strspn(line, " \"'");
        size_t length = strlen(line);
        while (length > 0 && strchr(" \"'\r", line[length - 1]))
            line[--length] = 0;
        return line;
    }
    return "";
}

static void add_scene(const char *name, tl_text *out) {
    char *path = NULL, *text = NULL;
    size_t size;
    const bool found = tl_data_find("scenes", name, &path, NULL) == TL_OK &&
                       tl_file_read(path, TL_YAML_MAX_BYTES, &text, &size, NULL) == TL_OK;
    tl_text_print(out, "{\"name\":");
    tl_schema_quote(out, name);
    tl_text_print(out, ",\"title\":");
    tl_schema_quote(out, found ? title_in(text) : "");
    tl_text_print(out, "}");
    free(text);
    free(path);
}

void live_write_gallery(tl_text *out) {
    char **names = NULL;
    size_t count = 0;
    if (tl_data_list("scenes", &names, &count, NULL) != TL_OK)
        count = 0;
    tl_text_print(out, "{\"type\":\"gallery\",\"scenes\":[");
    for (size_t k = 0; k < count; k++) {
        tl_text_print(out, k ? "," : "");
        add_scene(names[k], out);
    }
    tl_text_print(out, "]}");
    tl_data_free_list(names);
}

bool live_gallery_has(const char *name) {
    char **names = NULL;
    size_t count = 0;
    bool found = false;
    if (tl_data_list("scenes", &names, &count, NULL) != TL_OK)
        return false;
    for (size_t k = 0; k < count; k++)
        found = found || strcmp(names[k], name) == 0;
    tl_data_free_list(names);
    return found;
}
