// SoundTouch behind plain C: plays sound faster or slower and leaves its pitch alone. Interleaved stereo floats.
#ifndef AIRCHECK_CSOUNDTOUCH_H
#define AIRCHECK_CSOUNDTOUCH_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct aircheck_stretch aircheck_stretch;

/// NULL when there is no memory. To be given to `aircheck_stretch_free`.
aircheck_stretch *aircheck_stretch_new(uint32_t sample_rate);
void aircheck_stretch_free(aircheck_stretch *stretch);

/// 1 is as it was recorded, 2 twice as fast. From now on.
void aircheck_stretch_tempo(aircheck_stretch *stretch, double tempo);

/// Takes `frames` samples per channel. False when there is no memory.
int aircheck_stretch_put(aircheck_stretch *stretch, const float *samples, uint32_t frames);

/// Gives at most `frames` samples per channel that are ready, and says how many.
uint32_t aircheck_stretch_take(aircheck_stretch *stretch, float *samples, uint32_t frames);

/// The end of the sound: what is inside becomes ready.
void aircheck_stretch_flush(aircheck_stretch *stretch);

/// Forgets what is inside.
void aircheck_stretch_clear(aircheck_stretch *stretch);

/// Samples per channel that went in and have not come out in any form.
uint32_t aircheck_stretch_inside(const aircheck_stretch *stretch);

#ifdef __cplusplus
}
#endif
#endif
