#ifndef SLUICE_CCODECS_SHIM_H
#define SLUICE_CCODECS_SHIM_H
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <avif/avif.h>
#include <turbojpeg.h>
#include <png.h>
#include <webp/decode.h>
#include <webp/demux.h>
#include <webp/encode.h>
#include <webp/mux.h>
#include <gif_lib.h>

// libavif is not linked: it brings dozens of libraries, and most runs never see
// such a file. The structures above are those of one version, so the library of
// that version is loaded and no other.
#if AVIF_VERSION_MAJOR >= 1
#define SLUICE_AVIF_LIBRARY "libavif.so.16"
#else
#define SLUICE_AVIF_LIBRARY "libavif.so.15"
#endif

typedef struct {
    __typeof__(avifDecoderCreate) *create;
    __typeof__(avifDecoderDestroy) *destroy;
    __typeof__(avifDecoderSetIOMemory) *setMemory;
    __typeof__(avifDecoderParse) *parse;
    __typeof__(avifDecoderNextImage) *next;
    __typeof__(avifRGBImageSetDefaults) *setDefaults;
    __typeof__(avifImageYUVToRGB) *convert;
    __typeof__(avifResultToString) *describe;
} sluice_avif;

static inline int sluice_avif_load(sluice_avif *functions) {
    void *library = dlopen(SLUICE_AVIF_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (!library) return 0;
#define SLUICE_FIND(member, name) if (!(functions->member = (__typeof__(name) *)dlsym(library, #name))) return 0
    SLUICE_FIND(create, avifDecoderCreate);
    SLUICE_FIND(destroy, avifDecoderDestroy);
    SLUICE_FIND(setMemory, avifDecoderSetIOMemory);
    SLUICE_FIND(parse, avifDecoderParse);
    SLUICE_FIND(next, avifDecoderNextImage);
    SLUICE_FIND(setDefaults, avifRGBImageSetDefaults);
    SLUICE_FIND(convert, avifImageYUVToRGB);
    SLUICE_FIND(describe, avifResultToString);
#undef SLUICE_FIND
    __typeof__(avifVersion) *version = (__typeof__(avifVersion) *)dlsym(library, "avifVersion");
    return version && atoi(version()) == AVIF_VERSION_MAJOR;
}

// 0 exchanges top and bottom, 1 left and right; the name of the member changed.
static inline int sluice_avif_mirror(const avifImage *image) {
#if AVIF_VERSION_MAJOR >= 1
    return image->imir.axis;
#else
    return image->imir.mode;
#endif
}
#endif
