#include "include/CToml.h"

extern "C" int aircheck_toml_version(void) { return 3; }
