/* See counts.h. Whatever is counted takes a byte at least; more would only be found out after
 * memory for it has been asked for, or row by row. */
#include "mesh/counts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HEAD = 1 << 16 };

static tl_status check_count(const char *path, unsigned long long count, size_t size,
                             tl_error *error) {
    if (count <= size)
        return TL_OK;
    return tl_fail(error, TL_BAD_INPUT, NULL, "write the mesh anew",
                   "%s is cut short or damaged: its head counts %llu of something, and it has %zu "
                   "bytes",
                   path, count, size);
}

static const char *skip_line(const char *text) {
    text += strcspn(text, "\r\n");
    return text + strspn(text, "\r\n");
}

/* Lines "element NAME COUNT" up to "end_header". */
static tl_status check_ply(const char *path, const char *head, size_t size, tl_error *error) {
    const char *line = head;
    for (; *line && strncmp(line, "end_header", 10) != 0; line = skip_line(line)) {
        unsigned long long count;
        if (sscanf(line, "element %*s %llu", &count) == 1)
            TL_TRY(check_count(path, count, size, error));
    }
    return *line ? TL_OK
                 : tl_fail(error, TL_BAD_INPUT, NULL, "write the mesh anew",
                           "%s is cut short or damaged: its head does not end", path);
}

/* To the next word that is not in a comment. */
static const char *next_word(const char *text) {
    for (;;) {
        text += strspn(text, " \t\r\n");
        if (*text != '#')
            return text;
        text = skip_line(text);
    }
}

/* Vertices, faces and edges, after the word that ends in OFF. */
static tl_status check_off(const char *path, const char *head, size_t size, tl_error *error) {
    const char *at = head + strcspn(head, " \t\r\n");
    for (int k = 0; k < 3; k++) {
        at = next_word(at);
        if (*at < '0' || *at > '9')
            return TL_OK;
        char *end;
        TL_TRY(check_count(path, strtoull(at, &end, 10), size, error));
        at = end;
    }
    return TL_OK;
}

static bool is_off(const char *head) {
    const size_t length = strcspn(head, " \t\r\n");
    return length >= 3 && length <= 7 && strncmp(head + length - 3, "OFF", 3) == 0;
}

static tl_status check_head(const char *path, const char *head, size_t size, tl_error *error) {
    if (strncmp(head, "ply", 3) == 0)
        return check_ply(path, head, size, error);
    return is_off(head) ? check_off(path, head, size, error) : TL_OK;
}

tl_status tl_mesh_check_counts(const char *path, size_t size, tl_error *error) {
    char *head = malloc(HEAD + 1);
    if (!head)
        return tl_fail_memory(error, HEAD, 1);
    FILE *stream = fopen(path, "rb");
    if (!stream) {
        free(head);
        return tl_fail_errno(error, path, "read");
    }
    head[fread(head, 1, HEAD, stream)] = 0;
    fclose(stream);
    const tl_status status = check_head(path, head, size, error);
    free(head);
    return status;
}
