/* Messages from the page. See message.h. */
#include "message.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef enum tail { NOTHING, NUMBER, INDEX, NAME } tail;

/* What stands after each. */
static const struct {
    const char *name;
    live_verb verb;
    tail tail;
} words_of[] = {
    {"play", LIVE_PLAY, NOTHING},     {"pause", LIVE_PAUSE, NOTHING}, {"step", LIVE_STEP, NOTHING},
    {"frame", LIVE_FRAME, NOTHING},   {"reset", LIVE_RESET, NOTHING}, {"mark", LIVE_MARK, NOTHING},
    {"export", LIVE_EXPORT, NOTHING}, {"save", LIVE_SAVE, NOTHING},   {"back", LIVE_BACK, NOTHING},
    {"speed", LIVE_SPEED, NUMBER},    {"colour", LIVE_COLOUR, INDEX}, {"seen", LIVE_SEEN, INDEX},
    {"open", LIVE_OPEN, NAME},
};

static const char *const told[] = {"set",    "gravity", "grip", "carry", "release",
                                   "source", "wall",    "warm", "pour",  "shut"};

static bool read_number(const char *text, double *out) {
    char *end;
    *out = strtod(text, &end);
    return end != text && !*end && !strpbrk(text, "xXnN") && isfinite(*out) && *out >= 0 &&
           *out <= 1e6;
}

static bool read_index(const char *text, uint32_t *out) {
    char *end;
    const unsigned long value = strtoul(text, &end, 10);
    *out = (uint32_t)value;
    return isdigit((unsigned char)*text) && !*end && value <= UINT32_MAX;
}

/* One that can be the name of a scene, and no path. */
static bool is_name(const char *text) {
    static const char letters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";
    return *text && *text != '.' && strspn(text, letters) == strlen(text);
}

static bool read_rest(tail kind, const char *text, live_message *out) {
    switch (kind) {
    case NUMBER: return read_number(text, &out->number);
    case INDEX: return read_index(text, &out->index);
    case NAME: return is_name(text);
    default: return !*text;
    }
}

static bool read_verb(const char *name, const char *rest, live_message *out) {
    for (size_t k = 0; k < sizeof words_of / sizeof *words_of; k++) {
        if (strcmp(name, words_of[k].name) != 0)
            continue;
        out->verb = words_of[k].verb;
        return read_rest(words_of[k].tail, rest, out);
    }
    out->verb = LIVE_TELL;
    for (size_t k = 0; k < sizeof told / sizeof *told; k++)
        if (strcmp(name, told[k]) == 0)
            return true;
    return false;
}

bool live_read(const char *bytes, size_t size, live_message *out) {
    char name[16];
    *out = (live_message){0};
    if (size == 0 || size > LIVE_MOST_MESSAGE)
        return false;
    for (size_t k = 0; k < size; k++)
        if ((unsigned char)bytes[k] < ' ' || bytes[k] == 0x7F)
            return false;
    memcpy(out->words, bytes, size);
    out->words[size] = 0;
    const size_t length = strcspn(out->words, " ");
    if (length == 0 || length >= sizeof name)
        return false;
    memcpy(name, out->words, length);
    name[length] = 0;
    return read_verb(name, out->words + length + (out->words[length] == ' '), out);
}

/* Bytes of the words that say what is told of, and not what. */
static size_t head_of(const char *words) {
    const size_t verb = strcspn(words, " ");
    if (strncmp(words, "carry", verb) == 0 || strncmp(words, "gravity", verb) == 0)
        return verb;
    if (words[verb] && (strncmp(words, "set", verb) == 0 || strncmp(words, "source", verb) == 0 ||
                        strncmp(words, "wall", verb) == 0 || strncmp(words, "pour", verb) == 0))
        return verb + 1 + strcspn(words + verb + 1, " ");
    return 0;
}

bool live_replaces(const live_message *later, const live_message *earlier) {
    if (later->verb != earlier->verb)
        return false;
    if (later->verb == LIVE_SPEED || later->verb == LIVE_COLOUR)
        return true;
    const size_t head = later->verb == LIVE_TELL ? head_of(later->words) : 0;
    return head > 0 && head == head_of(earlier->words) &&
           strncmp(later->words, earlier->words, head) == 0;
}
