// FFmpeg's libraries, with plain values for what its macros say. The two large ones are linked by nobody: `CAVLazy` loads
// them.
#ifndef AIRCHECK_CAVCODEC_H
#define AIRCHECK_CAVCODEC_H

#include <libavcodec/avcodec.h>
#include <libavcodec/avfft.h>
#include <libavcodec/bsf.h>
#include <libavformat/avformat.h>
#include <libavutil/channel_layout.h>
#include <libavutil/opt.h>
#include <libswresample/swresample.h>

static const int aircheck_av_again = AVERROR(EAGAIN);
static const int aircheck_av_end = AVERROR_EOF;
static const int aircheck_av_io = AVERROR(EIO);
static const int64_t aircheck_av_no_time = AV_NOPTS_VALUE;

#endif
