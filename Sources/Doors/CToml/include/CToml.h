// toml++ behind extern "C": parse a document and hand it over as JSON text with a line number per value.
#ifndef AIRCHECK_CTOML_H
#define AIRCHECK_CTOML_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Placeholder of the interface; see toml.cpp.
int aircheck_toml_version(void);

#ifdef __cplusplus
}
#endif

#endif
