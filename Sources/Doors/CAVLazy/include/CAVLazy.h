// libavcodec and libavformat on demand; `lazy.c` defines the functions that FFmpeg's headers declare.
#ifndef AIRCHECK_CAVLAZY_H
#define AIRCHECK_CAVLAZY_H

/// Loads both libraries, the first time; takes some 30 ms then. False where they, in the version that this was compiled
/// for, are not installed. Any thread; to be asked before anything of libavcodec or libavformat is called.
int aircheck_av_load(void);

#endif
