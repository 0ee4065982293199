// The demo station's MP3, inside the executable: a demo that needs a file beside it would be lost with the first move.
#ifndef AIRCHECK_CDEMOAUDIO_H
#define AIRCHECK_CDEMOAUDIO_H

#include <stddef.h>
#include <stdint.h>

/// The first byte; made by scripts/make-demo-audio. Lives as long as the process.
const uint8_t *aircheck_demo_audio(void);
/// How many bytes there are.
size_t aircheck_demo_audio_length(void);

#endif
