/* Any bytes as result.json: what is read can be written and reads back the same. The first byte
 * chooses between the bytes as they are and edits of a good file. */
#include "run/result.h"

#include "scratch.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char good[] =
    "{\n  \"tallow\": \"0.1.0\",\n  \"state\": \"failed\",\n  \"frame\": 12,\n  \"frames\": 40,\n"
    "  \"time\": 0.5,\n  \"duration\": 2,\n  \"steps\": 900,\n  \"rejected\": 3,\n"
    "  \"particles\": 1000,\n  \"hash\": \"0123456789abcdef\",\n  \"wall_time\": 3.250,\n"
    "  \"updates_per_second\": 1e+06,\n  \"threads\": 2,\n  \"message\": \"a \\\"step\\\"\"\n}\n";

static bool same(double a, double b) { return a == b || (a != a && b != b); }

static void check_round_trip(const tl_run_result *first) {
    char folder[] = P_tmpdir "/tallow-fuzz-XXXXXX", path[64];
    tl_run_result second;
    require(mkdtemp(folder) != NULL);
    snprintf(path, sizeof path, "%s/result.json", folder);
    require(tl_run_result_write(path, first, NULL) == TL_OK);
    require(tl_run_result_read(path, &second, NULL) == TL_OK);
    unlink(path);
    rmdir(folder);
    require(first->state == second.state && first->frame == second.frame &&
            first->frame_count == second.frame_count && first->steps == second.steps &&
            first->particles == second.particles && first->hash == second.hash &&
            first->threads == second.threads && same(first->time, second.time) &&
            same(first->duration, second.duration));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0)
        return 0;
    size_t length = sizeof good - 1;
    char *bytes = data[0] & 1 ? edit(good, &length, data + 1, size - 1) : NULL;
    const char *path = bytes ? spill(bytes, length) : spill(data + 1, size - 1);
    tl_run_result result;
    tl_error error = {0};
    const tl_status status = tl_run_result_read(path, &result, &error);
    free(bytes);
    require(status == TL_OK || error.what[0]);
    if (status == TL_OK) {
        require(tl_run_state_name(result.state)[0]);
        check_round_trip(&result);
    }
    return 0;
}
