/* Drawings as SVG. Numbers are written as hundredths, so that no locale can spoil them. Styles
 * stand in style="...", which every viewer and editor reads. */
#include "base/file.h"
#include "base/memory.h"
#include "output/xml.h"
#include "plot/drawing.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* Two decimals at most, none that are not needed. */
static void print_number(tl_text *out, double value) {
    const long long hundredths = llround(100 * value);
    const long long size = llabs(hundredths), part = size % 100;
    tl_text_print(out, "%s%lld", hundredths < 0 ? "-" : "", size / 100);
    if (part % 10 != 0)
        tl_text_print(out, ".%02lld", part);
    else if (part != 0)
        tl_text_print(out, ".%lld", part / 10);
}

static void print_attribute(tl_text *out, const char *name, double value) {
    tl_text_print(out, " %s=\"", name);
    print_number(out, value);
    tl_text_print(out, "\"");
}

static void print_points(tl_text *out, const double *points, size_t count) {
    /* A line to where it is draws the dot that a single point stands for. */
    for (size_t i = 0; i < (count > 1 ? count : 2); i++) {
        const double *p = points + 2 * (i < count ? i : 0);
        tl_text_print(out, i > 0 ? " " : "");
        print_number(out, p[0]);
        tl_text_print(out, ",");
        print_number(out, p[1]);
    }
}

static void print_line(tl_text *out, const tl_drawing *d, const tl_shape *shape) {
    tl_text_print(out, "<polyline style=\"stroke:#%06" PRIx32 ";stroke-width:", shape->pen.colour);
    print_number(out, shape->pen.width);
    if (shape->pen.dash > 0) {
        tl_text_print(out, ";stroke-dasharray:");
        print_number(out, shape->pen.dash);
    }
    tl_text_print(out, "\" points=\"");
    print_points(out, d->points + 2 * shape->first, shape->count);
    tl_text_print(out, "\">");
    if (shape->text) {
        tl_text_print(out, "<title>");
        tl_xml_encode(out, d->words.bytes + shape->text);
        tl_text_print(out, "</title>");
    }
    tl_text_print(out, "</polyline>\n");
}

static void print_box(tl_text *out, const tl_drawing *d, const tl_shape *shape) {
    const double *p = d->points + 2 * shape->first;
    tl_text_print(out, "<rect");
    print_attribute(out, "x", p[0]);
    print_attribute(out, "y", p[1]);
    print_attribute(out, "width", p[2] - p[0]);
    print_attribute(out, "height", p[3] - p[1]);
    tl_text_print(out, " style=\"fill:#%06" PRIx32 "\"/>\n", shape->pen.colour);
}

static void print_words(tl_text *out, const tl_drawing *d, const tl_shape *shape) {
    static const char *const anchors[] = {"", ";text-anchor:middle", ";text-anchor:end"};
    const double *p = d->points + 2 * shape->first;
    tl_text_print(out, "<text");
    print_attribute(out, "x", p[0]);
    print_attribute(out, "y", p[1]);
    tl_text_print(
        out, " style=\"stroke:none;fill:#%06" PRIx32 "%s%s;font-size:", shape->lettering.colour,
        anchors[shape->lettering.anchor], shape->lettering.is_bold ? ";font-weight:bold" : "");
    print_number(out, shape->lettering.size);
    tl_text_print(out, "px\">");
    tl_xml_encode(out, d->words.bytes + shape->text);
    tl_text_print(out, "</text>\n");
}

static void print_drawing(tl_text *out, const tl_drawing *d, const char *title) {
    tl_text_print(out, "<svg xmlns=\"http://www.w3.org/2000/svg\"");
    print_attribute(out, "width", d->width);
    print_attribute(out, "height", d->height);
    tl_text_print(out, " viewBox=\"0 0 ");
    print_number(out, d->width);
    tl_text_print(out, " ");
    print_number(out, d->height);
    tl_text_print(out, "\">\n<title>");
    tl_xml_encode(out, title);
    tl_text_print(out, "</title>\n<rect width=\"100%%\" height=\"100%%\" style=\"fill:#ffffff\"/>\n"
                       "<g style=\"fill:none;stroke-linejoin:round;stroke-linecap:round;"
                       "font-family:Helvetica,Arial,'Liberation Sans','DejaVu Sans',sans-serif\">"
                       "\n");
    for (size_t i = 0; i < d->shape_count; i++)
        switch (d->shapes[i].kind) {
        case TL_SHAPE_LINE: print_line(out, d, &d->shapes[i]); break;
        case TL_SHAPE_BOX: print_box(out, d, &d->shapes[i]); break;
        case TL_SHAPE_TEXT: print_words(out, d, &d->shapes[i]); break;
        }
    tl_text_print(out, "</g>\n</svg>\n");
}

tl_status tl_drawing_write_svg(const tl_drawing *d, const char *title, const char *path,
                               tl_error *error) {
    tl_text text = {0};
    tl_file file;
    if (!d->failed)
        print_drawing(&text, d, title);
    tl_status status = d->failed || text.failed ? tl_fail_memory(error, 1, text.length)
                                                : tl_file_begin(&file, path, error);
    if (status == TL_OK) {
        fwrite(text.bytes, 1, text.length, file.stream);
        status = tl_file_commit(&file, error);
    }
    free(text.bytes);
    return status;
}
