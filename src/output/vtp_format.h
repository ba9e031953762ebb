/* What the writer and the reader of VTP files agree on, letter by letter. */
#ifndef TL_OUTPUT_VTP_FORMAT_H
#define TL_OUTPUT_VTP_FORMAT_H

#include "tallow/tallow.h"

#include <inttypes.h>
#include <stddef.h>

#define TL_VTP_OPENING                                                                             \
    "<?xml version=\"1.0\"?>\n"                                                                    \
    "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\""                       \
    " header_type=\"UInt64\">\n <PolyData>\n"
#define TL_VTP_APPENDED " <AppendedData encoding=\"raw\">\n_"
#define TL_VTP_CLOSING  "\n </AppendedData>\n</VTKFile>\n"

/* VTK stops reading at the appended data, and to XML this is a comment. */
#define TL_VTP_SEAL "<!-- tallow seal %016" PRIx64 " -->\n"
enum { TL_VTP_SEAL_SIZE = 38 };

/* Where element i of an array stands in the file, and the other way: ParaView has the tensor
 * xx yy zz xy yz xz. */
static inline size_t tl_vtp_place(size_t i, int components) {
    const size_t k = i % 6;
    return components == 6 && k > 3 ? i - k + (9 - k) : i;
}

/* VTK's word for each tl_type. */
extern const char *const tl_vtp_types[TL_U64 + 1];

#endif
