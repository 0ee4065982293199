// uchardet, which names a charset, and iconv, which reads it: the two halves of one question.
#ifndef AIRCHECK_CUCHARDET_H
#define AIRCHECK_CUCHARDET_H

#include <iconv.h>
#include <uchardet.h>

#endif
