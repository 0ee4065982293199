#include "include/CICal.h"

#include <dlfcn.h>
#include <libical/ical.h>
#include <pthread.h>
#include <stdlib.h>

#define TEXT_OF(macro) #macro
// The structures below are laid out as in the header that this was compiled with, so it must be that major version.
#define LIBRARY(major) "libical.so." TEXT_OF(major)

_Static_assert(ICAL_MAJOR_VERSION == 3, "LIBRARY below needs a plain number");

static struct {
    struct icalrecurrencetype (*parse)(const char *);
    icalrecur_iterator *(*begin)(struct icalrecurrencetype, struct icaltimetype);
    struct icaltimetype (*next)(icalrecur_iterator *);
    void (*end)(icalrecur_iterator *);
    int is_open;
} ical;

static pthread_once_t opening = PTHREAD_ONCE_INIT;

static void open_library(void) {
    void *library = dlopen(LIBRARY(3), RTLD_LAZY | RTLD_LOCAL);
    if (!library) return;
    *(void **)&ical.parse = dlsym(library, "icalrecurrencetype_from_string");
    *(void **)&ical.begin = dlsym(library, "icalrecur_iterator_new");
    *(void **)&ical.next = dlsym(library, "icalrecur_iterator_next");
    *(void **)&ical.end = dlsym(library, "icalrecur_iterator_free");
    ical.is_open = ical.parse && ical.begin && ical.next && ical.end;
}

int aircheck_ical_open(void) {
    pthread_once(&opening, open_library);
    return ical.is_open ? 0 : -1;
}

struct aircheck_recurrence {
    icalrecur_iterator *iterator;
};

aircheck_recurrence *aircheck_recurrence_new(const char *rule, aircheck_local_time start) {
    if (aircheck_ical_open() != 0) return NULL;
    struct icaltimetype first = {0};
    first.year = start.year;
    first.month = start.month;
    first.day = start.day;
    first.hour = start.hour;
    first.minute = start.minute;
    first.second = start.second;
    struct icalrecurrencetype parsed = ical.parse(rule);
    if (parsed.freq == ICAL_NO_RECURRENCE) return NULL;
    icalrecur_iterator *iterator = ical.begin(parsed, first);
    if (!iterator) return NULL;
    aircheck_recurrence *recurrence = malloc(sizeof *recurrence);
    if (recurrence) recurrence->iterator = iterator;
    else ical.end(iterator);
    return recurrence;
}

int aircheck_recurrence_next(aircheck_recurrence *recurrence, aircheck_local_time *next) {
    struct icaltimetype found = ical.next(recurrence->iterator);
    // The null time has neither year nor month nor day.
    if (found.year == 0 && found.month == 0 && found.day == 0) return 0;
    *next = (aircheck_local_time){found.year, found.month, found.day, found.hour, found.minute, found.second};
    return 1;
}

void aircheck_recurrence_free(aircheck_recurrence *recurrence) {
    ical.end(recurrence->iterator);
    free(recurrence);
}
