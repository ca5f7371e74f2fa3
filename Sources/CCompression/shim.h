#ifndef SLUICE_CCOMPRESSION_SHIM_H
#define SLUICE_CCOMPRESSION_SHIM_H
#include <brotli/decode.h>
#include <zlib.h>
#include <zstd.h>

// What Swift cannot import: macros with arguments.
// One line each; no decisions here.

static inline int sluice_inflate_start(z_stream *s, int bits) { return inflateInit2(s, bits); }

#endif
