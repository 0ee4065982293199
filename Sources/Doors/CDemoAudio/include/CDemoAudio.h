// The demo station's music, carried inside the binary. scripts/make-demo-audio makes demo.mp3.
#ifndef AIRCHECK_CDEMOAUDIO_H
#define AIRCHECK_CDEMOAUDIO_H

/// Bare MPEG-1 Layer III frames of 192 bytes and 24 ms each, in three pieces of 680.
const unsigned char *aircheck_demo_audio(void);
/// How many bytes they are.
long aircheck_demo_audio_length(void);

#endif
