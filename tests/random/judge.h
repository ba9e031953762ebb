/* Runs a scene and says whether it went well. What is looked at is found from the fields and the
 * books, not from what the world says of itself: a scene that goes wrong without a word fails. */
#ifndef TL_TESTS_RANDOM_JUDGE_H
#define TL_TESTS_RANDOM_JUDGE_H

#include <stddef.h>
#include <stdint.h>

typedef enum verdict {
    FINE,
    SAID,    /* something was wrong, and the world warned of it */
    CRAWLED, /* the end was not reached within the limits */
    FAILED,  /* an error, NaN, or wrong without a word */
    INVALID, /* the scene was refused */
    VERDICTS
} verdict;

typedef struct judgement {
    verdict verdict;
    char why[512]; /* empty when fine */
    const char *scheme;
    size_t particles;
    uint64_t steps, rejected;
    double reached; /* part of the duration */
} judgement;

typedef struct limits {
    uint64_t steps; /* accepted ones; 0: any number */
    double seconds; /* of this machine's processor; 0: any time */
} limits;

extern const char *const verdict_names[VERDICTS];

judgement judge(const char *text, size_t size, const char *name, const limits *limits);

#endif
