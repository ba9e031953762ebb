/* See pvd.h. */
#include "output/pvd.h"

#include "output/sink.h"
#include "output/xml.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char opening[] = "<?xml version=\"1.0\"?>\n"
                              "<VTKFile type=\"Collection\" version=\"1.0\""
                              " byte_order=\"LittleEndian\">\n <Collection>\n";
static const char closing[] = " </Collection>\n</VTKFile>\n";

tl_status tl_pvd_add(tl_pvd *list, double time, const char *file, tl_error *error) {
    const size_t length = strlen(file);
    if (length >= sizeof list->entries->file)
        return tl_fail(error, TL_BAD_INPUT, file, NULL, "a frame's name has at most %zu letters",
                       sizeof list->entries->file - 1);
    TL_TRY(TL_ARRAY_RESERVE(list->entries, list->count, list->count + 1, error));
    tl_pvd_entry *entry = &list->entries[list->count++];
    entry->time = time;
    memcpy(entry->file, file, length + 1);
    return TL_OK;
}

void tl_pvd_cut(tl_pvd *list, double time) {
    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++)
        if (list->entries[i].time <= time)
            list->entries[kept++] = list->entries[i];
    list->count = kept;
}

tl_status tl_pvd_write(const char *path, const tl_pvd *list, tl_error *error) {
    tl_sink sink;
    TL_TRY(tl_sink_begin(&sink, path, error)); /* first: numbers are printed in its locale */
    tl_text text = {0};
    tl_text_add(&text, opening, sizeof opening - 1);
    for (size_t i = 0; i < list->count; i++) {
        tl_text_print(&text, "  <DataSet timestep=\"%.17g\" part=\"0\" file=\"",
                      list->entries[i].time);
        tl_xml_encode(&text, list->entries[i].file);
        tl_text_print(&text, "\"/>\n");
    }
    tl_text_add(&text, closing, sizeof closing - 1);
    tl_status status;
    if (text.failed) {
        tl_sink_discard(&sink);
        status = tl_fail_memory(error, list->count, sizeof *list->entries);
    } else {
        tl_sink_put(&sink, text.bytes, text.length);
        status = tl_sink_commit(&sink, error);
    }
    free(text.bytes);
    return status;
}

static bool read_time(const tl_xml_tag *tag, locale_t locale, double *out) {
    const tl_slice word = tl_xml_attribute(tag, "timestep");
    char digits[40], *end;
    if (word.length == 0 || word.length >= sizeof digits)
        return false;
    memcpy(digits, word.text, word.length);
    digits[word.length] = 0;
    *out = strtod_l(digits, &end, locale);
    return *end == 0 && isfinite(*out);
}

static tl_status read_entries(tl_xml *xml, const char *path, locale_t locale, tl_arena *arena,
                              tl_pvd *out, tl_error *error) {
    const char *fix = "write the frames again";
    for (;;) {
        tl_xml_tag tag;
        double time;
        if (!tl_xml_next(xml, &tag))
            break;
        if (tl_xml_closes(&tag, "Collection") && tl_xml_next(xml, &tag) &&
            tl_xml_closes(&tag, "VTKFile"))
            return TL_OK;
        if (!tl_xml_opens(&tag, "DataSet") || !tag.empty || !read_time(&tag, locale, &time))
            return tl_fail(error, TL_BAD_INPUT, path, fix, "frame %zu of the list is damaged",
                           out->count);
        const char *file = tl_xml_decode(tl_xml_attribute(&tag, "file"), arena);
        if (!file)
            return tl_fail_memory(error, 1, sizeof *out->entries);
        TL_TRY(tl_pvd_add(out, time, file, error));
    }
    return tl_fail(error, TL_BAD_INPUT, path, fix, "the list is cut short after %zu frames",
                   out->count);
}

tl_status tl_pvd_read(const char *path, tl_pvd *out, tl_error *error) {
    enum { LIMIT = 1 << 28 };
    char *bytes;
    size_t size;
    TL_TRY(tl_file_read(path, LIMIT, &bytes, &size, error));
    tl_status status;
    tl_arena arena = {0};
    const locale_t locale = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
    if (!locale)
        status = tl_fail_memory(error, 1, 1);
    else if (size < sizeof opening - 1 || memcmp(bytes, opening, sizeof opening - 1) != 0)
        status = tl_fail(error, TL_BAD_INPUT, path, "name a .pvd file that Tallow wrote",
                         "this is not a list of frames of Tallow");
    else {
        tl_xml xml = {bytes + sizeof opening - 1, bytes + size};
        status = read_entries(&xml, path, locale, &arena, out, error);
    }
    if (locale)
        freelocale(locale);
    tl_arena_free(&arena);
    free(bytes);
    if (status != TL_OK)
        tl_pvd_free(out);
    return status;
}

void tl_pvd_free(tl_pvd *list) {
    tl_array_free(list->entries);
    *list = (tl_pvd){0};
}
