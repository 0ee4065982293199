#include "include/CSoundTouch.h"

#include <new>

#include <soundtouch/SoundTouch.h>

static_assert(sizeof(soundtouch::SAMPLETYPE) == sizeof(float), "Debian's SoundTouch counts in floats");

struct aircheck_stretch {
    soundtouch::SoundTouch engine;
};

extern "C" {

aircheck_stretch *aircheck_stretch_new(uint32_t sample_rate) {
    try {
        auto *stretch = new aircheck_stretch();
        stretch->engine.setSampleRate(sample_rate);
        stretch->engine.setChannels(2);
        return stretch;
    } catch (...) {
        return nullptr;
    }
}

void aircheck_stretch_free(aircheck_stretch *stretch) { delete stretch; }

void aircheck_stretch_tempo(aircheck_stretch *stretch, double tempo) {
    try {
        stretch->engine.setTempo(tempo);
    } catch (...) {
    }
}

int aircheck_stretch_put(aircheck_stretch *stretch, const float *samples, uint32_t frames) {
    try {
        stretch->engine.putSamples(samples, frames);
        return 1;
    } catch (...) {
        return 0;
    }
}

uint32_t aircheck_stretch_take(aircheck_stretch *stretch, float *samples, uint32_t frames) {
    return stretch->engine.receiveSamples(samples, frames);
}

void aircheck_stretch_flush(aircheck_stretch *stretch) {
    try {
        stretch->engine.flush();
    } catch (...) {
    }
}

void aircheck_stretch_clear(aircheck_stretch *stretch) { stretch->engine.clear(); }

uint32_t aircheck_stretch_inside(const aircheck_stretch *stretch) { return stretch->engine.numUnprocessedSamples(); }
}
