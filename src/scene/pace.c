/* See pace.h. */
#include "scene/pace.h"

/* s and 1/s. */
#define SHORTEST 4.0
#define LONGEST  12.0
#define SLOWEST  25.0
#define FASTEST  30.0

/* The least of 1, 2, 5, 10 ... and of their parts that is at least x. */
static double round_up(double x) {
    const double power = pow(10, floor(log10(x) + 1e-9)), digit = x / power * (1 - 1e-9);
    return power * (digit <= 1 ? 1 : digit <= 2 ? 2 : digit <= 5 ? 5 : 10);
}

/* From 4 to 10 s, or as it is. */
static double round_slow(double duration) {
    if (duration >= SHORTEST && duration <= LONGEST)
        return 1;
    return duration < SHORTEST ? round_up(SHORTEST / duration) : 1 / round_up(duration / LONGEST);
}

double tl_pace_frame_rate(double duration) { return SLOWEST * round_slow(duration); }

/* Each frame once, if that makes a film of the right length: as it happens, or at a rate that gives
 * it. */
static bool show_each_once(double duration, double frame_rate, tl_pace *out) {
    const double frames = duration * frame_rate;
    if (frame_rate >= SLOWEST && frame_rate <= FASTEST && duration >= SHORTEST &&
        duration <= LONGEST) {
        out->slow = 1;
        return true;
    }
    if (frames < SHORTEST * SLOWEST * (1 - 1e-9) || frames > LONGEST * FASTEST * (1 + 1e-9))
        return false;
    const double rate = frames > LONGEST * SLOWEST ? FASTEST : SLOWEST;
    out->slow = frame_rate / rate;
    return true;
}

tl_pace tl_pace_of_frames(double duration, double frame_rate) {
    tl_pace pace = {0};
    if (!show_each_once(duration, frame_rate, &pace)) {
        const double slow = round_slow(duration), rate = frame_rate / slow;
        pace = (tl_pace){slow, rate >= SLOWEST && rate <= FASTEST ? 0 : SLOWEST};
    }
    return pace;
}

tl_pace tl_pace_of_scene(const tl_scene *scene, double every) {
    const tl_output_def *output = &scene->output;
    tl_pace pace = {output->slow, 0};
    if (!(output->slow > 0))
        pace = tl_pace_of_frames(scene->duration, scene->frame_rate);
    if (!(output->slow > 0) && every > 1)
        pace.film_rate = SLOWEST;
    if (output->film_rate > 0)
        pace.film_rate = output->film_rate;
    return pace;
}
