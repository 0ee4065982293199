#include "include/CDemoAudio.h"

// #embed is C23; the compiler that comes with Swift knows it in every mode, and compiles it as fast as a copy.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char audio[] = {
#embed "demo.mp3"
};

const unsigned char *aircheck_demo_audio(void) { return audio; }

long aircheck_demo_audio_length(void) { return sizeof audio; }
