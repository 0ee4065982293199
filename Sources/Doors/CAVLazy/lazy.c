// FFmpeg's two large libraries, loaded when they are first needed: with them a program takes 30 ms longer to start, and a
// station that sends MPEG audio needs neither.
//
// Every function here has the name and the type that FFmpeg's headers give it, and calls the one in the library. Nothing
// outside of this program sees these names.
#include "CAVLazy.h"

#include <dlfcn.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#pragma GCC visibility push(hidden)
#include <libavcodec/avcodec.h>
#include <libavcodec/avfft.h>
#include <libavcodec/bsf.h>
#include <libavformat/avformat.h>

static void *libraries[2];
static pthread_once_t once = PTHREAD_ONCE_INIT;

enum { CODEC, FORMAT };

// The versions whose headers this was compiled with: another one has other structures.
static void load(void) {
    libraries[CODEC] = dlopen("libavcodec.so." AV_STRINGIFY(LIBAVCODEC_VERSION_MAJOR), RTLD_LAZY | RTLD_LOCAL);
    libraries[FORMAT] = dlopen("libavformat.so." AV_STRINGIFY(LIBAVFORMAT_VERSION_MAJOR), RTLD_LAZY | RTLD_LOCAL);
}

int aircheck_av_load(void) {
    pthread_once(&once, load);
    return libraries[CODEC] && libraries[FORMAT];
}

// Whoever did not ask `aircheck_av_load` first has nothing to go on with.
static void *function(int library, const char *name) {
    void *found = aircheck_av_load() ? dlsym(libraries[library], name) : NULL;
    if (found) return found;
    fprintf(stderr, "aircheck-media: FFmpeg's libraries are not there (%s)\n", name);
    _exit(70);
}

#define FIND(library, name)                                                                                              \
    static __typeof__(&name) known;                                                                                      \
    __typeof__(&name) real = __atomic_load_n(&known, __ATOMIC_RELAXED);                                                  \
    if (!real) {                                                                                                         \
        real = (__typeof__(&name))function(library, #name);                                                              \
        __atomic_store_n(&known, real, __ATOMIC_RELAXED);                                                                \
    }

#define CALL(library, name, ...)                                                                                         \
    FIND(library, name)                                                                                                  \
    return real(__VA_ARGS__);

#define RUN(library, name, ...)                                                                                          \
    FIND(library, name)                                                                                                  \
    real(__VA_ARGS__);

int av_bsf_alloc(const AVBitStreamFilter *filter, AVBSFContext **ctx) { CALL(CODEC, av_bsf_alloc, filter, ctx) }
void av_bsf_free(AVBSFContext **ctx) { RUN(CODEC, av_bsf_free, ctx) }
const AVBitStreamFilter *av_bsf_get_by_name(const char *name) { CALL(CODEC, av_bsf_get_by_name, name) }
int av_bsf_init(AVBSFContext *ctx) { CALL(CODEC, av_bsf_init, ctx) }
int av_bsf_receive_packet(AVBSFContext *ctx, AVPacket *pkt) { CALL(CODEC, av_bsf_receive_packet, ctx, pkt) }
int av_bsf_send_packet(AVBSFContext *ctx, AVPacket *pkt) { CALL(CODEC, av_bsf_send_packet, ctx, pkt) }
int av_new_packet(AVPacket *pkt, int size) { CALL(CODEC, av_new_packet, pkt, size) }
AVPacket *av_packet_alloc(void) { CALL(CODEC, av_packet_alloc) }
void av_packet_free(AVPacket **pkt) { RUN(CODEC, av_packet_free, pkt) }
void av_packet_rescale_ts(AVPacket *pkt, AVRational tb_src, AVRational tb_dst) { RUN(CODEC, av_packet_rescale_ts, pkt, tb_src, tb_dst) }
void av_packet_unref(AVPacket *pkt) { RUN(CODEC, av_packet_unref, pkt) }
void av_rdft_calc(RDFTContext *s, FFTSample *data) { RUN(CODEC, av_rdft_calc, s, data) }
void av_rdft_end(RDFTContext *s) { RUN(CODEC, av_rdft_end, s) }
RDFTContext *av_rdft_init(int nbits, enum RDFTransformType trans) { CALL(CODEC, av_rdft_init, nbits, trans) }
AVCodecContext *avcodec_alloc_context3(const AVCodec *codec) { CALL(CODEC, avcodec_alloc_context3, codec) }
const AVCodec *avcodec_find_decoder(enum AVCodecID id) { CALL(CODEC, avcodec_find_decoder, id) }
const AVCodec *avcodec_find_encoder_by_name(const char *name) { CALL(CODEC, avcodec_find_encoder_by_name, name) }
void avcodec_free_context(AVCodecContext **avctx) { RUN(CODEC, avcodec_free_context, avctx) }
const char *avcodec_get_name(enum AVCodecID id) { CALL(CODEC, avcodec_get_name, id) }
int avcodec_open2(AVCodecContext *avctx, const AVCodec *codec, AVDictionary **options) { CALL(CODEC, avcodec_open2, avctx, codec, options) }
int avcodec_parameters_copy(AVCodecParameters *dst, const AVCodecParameters *src) { CALL(CODEC, avcodec_parameters_copy, dst, src) }
int avcodec_parameters_to_context(AVCodecContext *codec, const AVCodecParameters *par) { CALL(CODEC, avcodec_parameters_to_context, codec, par) }
int avcodec_receive_frame(AVCodecContext *avctx, AVFrame *frame) { CALL(CODEC, avcodec_receive_frame, avctx, frame) }
int avcodec_receive_packet(AVCodecContext *avctx, AVPacket *avpkt) { CALL(CODEC, avcodec_receive_packet, avctx, avpkt) }
int avcodec_send_frame(AVCodecContext *avctx, const AVFrame *frame) { CALL(CODEC, avcodec_send_frame, avctx, frame) }
int avcodec_send_packet(AVCodecContext *avctx, const AVPacket *avpkt) { CALL(CODEC, avcodec_send_packet, avctx, avpkt) }
int av_find_best_stream(AVFormatContext *ic, enum AVMediaType type, int wanted_stream_nb, int related_stream, const AVCodec **decoder_ret, int flags) { CALL(FORMAT, av_find_best_stream, ic, type, wanted_stream_nb, related_stream, decoder_ret, flags) }
int av_read_frame(AVFormatContext *s, AVPacket *pkt) { CALL(FORMAT, av_read_frame, s, pkt) }
int av_write_frame(AVFormatContext *s, AVPacket *pkt) { CALL(FORMAT, av_write_frame, s, pkt) }
int av_write_trailer(AVFormatContext *s) { CALL(FORMAT, av_write_trailer, s) }
AVFormatContext *avformat_alloc_context(void) { CALL(FORMAT, avformat_alloc_context) }
int avformat_alloc_output_context2(AVFormatContext **ctx, const AVOutputFormat *oformat, const char *format_name, const char *filename) { CALL(FORMAT, avformat_alloc_output_context2, ctx, oformat, format_name, filename) }
void avformat_close_input(AVFormatContext **s) { RUN(FORMAT, avformat_close_input, s) }
int avformat_find_stream_info(AVFormatContext *ic, AVDictionary **options) { CALL(FORMAT, avformat_find_stream_info, ic, options) }
void avformat_free_context(AVFormatContext *s) { RUN(FORMAT, avformat_free_context, s) }
AVStream *avformat_new_stream(AVFormatContext *s, const AVCodec *c) { CALL(FORMAT, avformat_new_stream, s, c) }
int avformat_open_input(AVFormatContext **ps, const char *url, const AVInputFormat *fmt, AVDictionary **options) { CALL(FORMAT, avformat_open_input, ps, url, fmt, options) }
int avformat_write_header(AVFormatContext *s, AVDictionary **options) { CALL(FORMAT, avformat_write_header, s, options) }
AVIOContext *avio_alloc_context(unsigned char *buffer, int buffer_size, int write_flag, void *opaque, int (*read_packet)(void *opaque, uint8_t *buf, int buf_size), int (*write_packet)(void *opaque, uint8_t *buf, int buf_size), int64_t (*seek)(void *opaque, int64_t offset, int whence)) { CALL(FORMAT, avio_alloc_context, buffer, buffer_size, write_flag, opaque, read_packet, write_packet, seek) }
void avio_context_free(AVIOContext **s) { RUN(FORMAT, avio_context_free, s) }
void avio_flush(AVIOContext *s) { RUN(FORMAT, avio_flush, s) }
