/* How long films are, and how many pictures they have. */
#include "scene/pace.h"

#include "scene_texts.h"

/* Seconds, and pictures a second. */
static void expect_film(double duration, double frame_rate) {
    const tl_pace pace = tl_pace_of_frames(duration, frame_rate);
    const double length = pace.slow * duration;
    const double rate = pace.film_rate > 0 ? pace.film_rate : frame_rate / pace.slow;
    cr_expect(length > 4 - 1e-6 && length < 12 + 1e-6, "%g s at %g: %g s", duration, frame_rate,
              length);
    cr_expect(rate > 25 - 1e-6 && rate < 30 + 1e-6, "%g s at %g: %g pictures a second", duration,
              frame_rate, rate);
}

Test(pace, films_take_4_to_12_seconds_at_25_to_30_pictures) {
    static const double rates[] = {0.1, 1, 5, 10, 15, 24, 25, 29.97, 30, 50, 100, 240, 1000};
    for (double duration = 1e-4; duration < 1e5; duration *= 1.17) {
        for (size_t k = 0; k < sizeof rates / sizeof rates[0]; k++)
            expect_film(duration, rates[k]);
        expect_film(duration, tl_pace_frame_rate(duration));
        /* Without a word, each picture is a frame of its own. */
        const double own = tl_pace_frame_rate(duration);
        cr_expect_eq(tl_pace_of_frames(duration, own).film_rate, 0, "%g s", duration);
    }
}

Test(pace, what_happens_in_a_few_seconds_is_shown_as_it_happens) {
    cr_expect_eq(tl_pace_of_frames(4, 30).slow, 1);
    cr_expect_eq(tl_pace_of_frames(12, 25).slow, 1);
    cr_expect_eq(tl_pace_of_frames(0.8, 125).slow, 5);
    cr_expect_float_eq(tl_pace_of_frames(60, 5).slow, 0.2, 1e-12);
}

Test(pace, of_the_scene_comes_first) {
    tl_scene *scene = load(minimal, NULL);
    cr_expect_eq(scene->frame_rate, 125, "of a second");
    cr_expect_eq(tl_pace_of_scene(scene, 1).slow, 5);
    tl_scene_destroy(scene);
    scene = load(minimal, "output.slow=2");
    const tl_pace pace = tl_pace_of_scene(scene, 1);
    cr_expect(pace.slow == 2 && pace.film_rate == 0, "each frame once");
    tl_scene_destroy(scene);
    scene = load(minimal, "frame_rate=10");
    cr_expect_eq(scene->frame_rate, 10);
    tl_scene_destroy(scene);
}
