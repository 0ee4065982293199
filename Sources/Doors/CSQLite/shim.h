// SQLite, with the cast macro that Swift cannot import.
#ifndef AIRCHECK_CSQLITE_H
#define AIRCHECK_CSQLITE_H

#include <sqlite3.h>

/// SQLITE_TRANSIENT: SQLite copies the bound bytes before the call returns.
static inline int aircheck_sqlite_bind_text(sqlite3_stmt *statement, int index, const char *text, int length) {
    return sqlite3_bind_text(statement, index, text, length, SQLITE_TRANSIENT);
}
static inline int aircheck_sqlite_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, int length) {
    return sqlite3_bind_blob(statement, index, bytes, length, SQLITE_TRANSIENT);
}

/// Refuses SQL that could harm the file itself (writable_schema, journal tricks), whoever wrote it.
static inline int aircheck_sqlite_defend(sqlite3 *database) {
    return sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
}

#endif
