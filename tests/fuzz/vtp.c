/* Feeds the reader of frames with anything. The seal at the end is made right first: otherwise
 * nothing would get past it. Good seeds are the .vtp files that write_samples leaves. */
#include "output/vtp.h"
#include "output/sink.h"
#include "output/vtp_format.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *bytes = malloc(size ? size : 1);
    if (!bytes)
        return 0;
    if (size)
        memcpy(bytes, data, size);
    if (size > TL_VTP_SEAL_SIZE) {
        char seal[TL_VTP_SEAL_SIZE + 1];
        const size_t sealed = size - TL_VTP_SEAL_SIZE;
        snprintf(seal, sizeof seal, TL_VTP_SEAL, tl_sink_hash_of(bytes, sealed));
        memcpy(bytes + sealed, seal, TL_VTP_SEAL_SIZE);
    }
    tl_frame frame;
    tl_error error = {0};
    const tl_status status = tl_vtp_read_memory(bytes, size, "fuzz", &frame, &error);
    if (status == TL_OK ? tl_frame_check(&frame, "fuzz", NULL) != TL_OK : error.what[0] == 0)
        abort();
    tl_frame_free(&frame);
    free(bytes);
    return 0;
}
