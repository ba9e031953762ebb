/* What the writer and the reader of VTP files agree on, letter by letter. */
#ifndef TL_OUTPUT_VTP_FORMAT_H
#define TL_OUTPUT_VTP_FORMAT_H

#include "tallow/tallow.h"

#include <inttypes.h>

#define TL_VTP_OPENING                                                                             \
    "<?xml version=\"1.0\"?>\n"                                                                    \
    "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\""                       \
    " header_type=\"UInt64\">\n <PolyData>\n"
#define TL_VTP_APPENDED " <AppendedData encoding=\"raw\">\n_"
#define TL_VTP_CLOSING  "\n </AppendedData>\n</VTKFile>\n"

/* VTK stops reading at the appended data, and to XML this is a comment. */
#define TL_VTP_SEAL "<!-- tallow seal %016" PRIx64 " -->\n"
enum { TL_VTP_SEAL_SIZE = 38 };

/* VTK's word for each tl_type. */
extern const char *const tl_vtp_types[TL_U64 + 1];

#endif
