#ifndef SLUICE_CCODECS_SHIM_H
#define SLUICE_CCODECS_SHIM_H
#include <stdio.h>
#include <turbojpeg.h>
#include <png.h>
#include <webp/decode.h>
#include <webp/demux.h>
#include <webp/encode.h>
#include <webp/mux.h>
#include <gif_lib.h>
#endif
