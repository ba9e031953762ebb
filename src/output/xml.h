/* The little XML that our own files are made of: tags with attributes, no nesting of text. Reading
 * points into the text and trusts nothing in it. */
#ifndef TL_OUTPUT_XML_H
#define TL_OUTPUT_XML_H

#include "base/memory.h"
#include "base/text.h"

typedef struct tl_slice {
    const char *text;
    size_t length;
} tl_slice;

enum { TL_XML_ATTRIBUTES = 24 };

typedef struct tl_xml_tag {
    tl_slice name;
    bool closing; /* </name> */
    bool empty;   /* <name/> */
    struct {
        tl_slice name, value;
    } attribute[TL_XML_ATTRIBUTES];
    size_t attribute_count;
} tl_xml_tag;

/* What is still to be read. */
typedef struct tl_xml {
    const char *at, *end;
} tl_xml;

/* The next tag; space and <?...?> before it are passed over. False at the end of the text and at
 * anything else that is not a tag. */
bool tl_xml_next(tl_xml *xml, tl_xml_tag *tag);

/* The text up to the next tag. */
tl_slice tl_xml_text(tl_xml *xml);

bool tl_slice_is(tl_slice slice, const char *text);

/* Opening or empty tag of that name. */
bool tl_xml_opens(const tl_xml_tag *tag, const char *name);
bool tl_xml_closes(const tl_xml_tag *tag, const char *name);

/* The value of an attribute as written; {NULL, 0} when there is none. */
tl_slice tl_xml_attribute(const tl_xml_tag *tag, const char *name);

/* An attribute that is a plain decimal number. False when missing, malformed or too large. */
bool tl_xml_number(const tl_xml_tag *tag, const char *name, uint64_t *out);

/* A copy with &amp; and the like resolved; NULL when out of memory. */
char *tl_xml_decode(tl_slice slice, tl_arena *arena);

/* Prints text so that it can stand in an attribute or between tags. */
void tl_xml_encode(tl_text *out, const char *text);

#endif
