// libpulse, the asynchronous interface on its own thread. PipeWire answers it too.
#ifndef AIRCHECK_CPULSE_H
#define AIRCHECK_CPULSE_H

#include <pulse/pulseaudio.h>

#endif
