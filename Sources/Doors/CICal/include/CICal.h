// libical's recurrence iterator, over times of day without a zone (RFC 5545, 3.3.10).
//
// The library is opened with the first rule: it brings ICU along, 3 MiB and two milliseconds that a service without
// schedules, and every other command, need not pay.
#ifndef AIRCHECK_CICAL_H
#define AIRCHECK_CICAL_H

/// A date and time as a wall clock shows it; no zone.
typedef struct {
    int year, month, day, hour, minute, second;
} aircheck_local_time;

typedef struct aircheck_recurrence aircheck_recurrence;

/// Opens the library, once for the process. 0, or -1 where it is not installed. Any thread.
int aircheck_ical_open(void);
/// Begins to read a rule from its first time on. NULL where the library is missing or refuses the rule.
aircheck_recurrence *aircheck_recurrence_new(const char *rule, aircheck_local_time start);
/// The next time of the rule: 1, or 0 after the last.
int aircheck_recurrence_next(aircheck_recurrence *recurrence, aircheck_local_time *next);
void aircheck_recurrence_free(aircheck_recurrence *recurrence);

#endif
