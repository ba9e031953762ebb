/* See xml.h. */
#include "output/xml.h"

#include <string.h>

static const struct {
    const char *code;
    char meaning;
} entities[] = {{"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}};
enum { ENTITIES = sizeof entities / sizeof *entities };

static bool is_space(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

static bool is_name(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static void skip_space(tl_xml *xml) {
    while (xml->at < xml->end && is_space(*xml->at))
        xml->at++;
}

static bool take(tl_xml *xml, char wanted) {
    if (xml->at == xml->end || *xml->at != wanted)
        return false;
    xml->at++;
    return true;
}

static bool take_name(tl_xml *xml, tl_slice *out) {
    out->text = xml->at;
    while (xml->at < xml->end && is_name(*xml->at))
        xml->at++;
    out->length = (size_t)(xml->at - out->text);
    return out->length > 0;
}

static bool take_attribute(tl_xml *xml, tl_slice *name, tl_slice *value) {
    if (!take_name(xml, name) || !take(xml, '=') || !take(xml, '"'))
        return false;
    value->text = xml->at;
    while (xml->at < xml->end && *xml->at != '"' && *xml->at != '<')
        xml->at++;
    value->length = (size_t)(xml->at - value->text);
    return take(xml, '"');
}

bool tl_xml_next(tl_xml *xml, tl_xml_tag *tag) {
    tag->attribute_count = 0;
    tag->empty = false;
    skip_space(xml);
    while (xml->end - xml->at >= 2 && memcmp(xml->at, "<?", 2) == 0) {
        while (xml->at < xml->end && *xml->at != '>')
            xml->at++;
        if (!take(xml, '>'))
            return false;
        skip_space(xml);
    }
    if (!take(xml, '<'))
        return false;
    tag->closing = take(xml, '/');
    if (!take_name(xml, &tag->name))
        return false;
    for (;;) {
        skip_space(xml);
        if (take(xml, '>'))
            return true;
        if (tag->closing)
            return false;
        if (take(xml, '/')) {
            tag->empty = true;
            return take(xml, '>');
        }
        const size_t a = tag->attribute_count;
        if (a == TL_XML_ATTRIBUTES ||
            !take_attribute(xml, &tag->attribute[a].name, &tag->attribute[a].value))
            return false;
        tag->attribute_count++;
    }
}

tl_slice tl_xml_text(tl_xml *xml) {
    tl_slice text = {xml->at, 0};
    while (xml->at < xml->end && *xml->at != '<')
        xml->at++;
    text.length = (size_t)(xml->at - text.text);
    return text;
}

bool tl_slice_is(tl_slice slice, const char *text) {
    return slice.text && slice.length == strlen(text) &&
           memcmp(slice.text, text, slice.length) == 0;
}

bool tl_xml_opens(const tl_xml_tag *tag, const char *name) {
    return !tag->closing && tl_slice_is(tag->name, name);
}

bool tl_xml_closes(const tl_xml_tag *tag, const char *name) {
    return tag->closing && tl_slice_is(tag->name, name);
}

tl_slice tl_xml_attribute(const tl_xml_tag *tag, const char *name) {
    for (size_t a = 0; a < tag->attribute_count; a++)
        if (tl_slice_is(tag->attribute[a].name, name))
            return tag->attribute[a].value;
    return (tl_slice){NULL, 0};
}

bool tl_xml_number(const tl_xml_tag *tag, const char *name, uint64_t *out) {
    const tl_slice value = tl_xml_attribute(tag, name);
    *out = 0;
    for (size_t i = 0; i < value.length; i++) {
        const char c = value.text[i];
        if (c < '0' || c > '9' || __builtin_mul_overflow(*out, (uint64_t)10, out) ||
            __builtin_add_overflow(*out, (uint64_t)(c - '0'), out))
            return false;
    }
    return value.length > 0;
}

char *tl_xml_decode(tl_slice slice, tl_arena *arena) {
    char *copy = tl_arena_text(arena, slice.text, slice.length);
    if (!copy)
        return NULL;
    char *to = copy;
    for (const char *from = copy; *from;) {
        int e = 0;
        while (e < ENTITIES && strncmp(from, entities[e].code, strlen(entities[e].code)) != 0)
            e++;
        *to++ = e < ENTITIES ? entities[e].meaning : *from;
        from += e < ENTITIES ? strlen(entities[e].code) : 1;
    }
    *to = 0;
    return copy;
}

void tl_xml_encode(tl_text *out, const char *text) {
    for (; *text; text++) {
        int e = 0;
        while (e < ENTITIES && entities[e].meaning != *text)
            e++;
        if (e < ENTITIES)
            tl_text_add(out, entities[e].code, strlen(entities[e].code));
        else /* line breaks and control characters have no place in one line of text */
            tl_text_add(out, (unsigned char)*text < 32 ? " " : text, 1);
    }
}
