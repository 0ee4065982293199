#include "include/CDemoAudio.h"

// The assembler looks for the file in the include folders: no generated source, and nothing for a compiler to parse.
__asm__(".section .rodata\n"
        ".balign 16\n"
        "aircheck_demo_audio_start:\n"
        ".incbin \"demo.mp3\"\n"
        "aircheck_demo_audio_end:\n"
        ".previous\n");

extern const uint8_t aircheck_demo_audio_start[] __attribute__((visibility("hidden")));
extern const uint8_t aircheck_demo_audio_end[] __attribute__((visibility("hidden")));

const uint8_t *aircheck_demo_audio(void) { return aircheck_demo_audio_start; }

size_t aircheck_demo_audio_length(void) { return (size_t)(aircheck_demo_audio_end - aircheck_demo_audio_start); }
