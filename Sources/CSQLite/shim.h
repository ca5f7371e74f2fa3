#pragma once

#include <sqlite3.h>

// sqlite3_config is variadic, which Swift cannot call. Counts no memory, which takes a lock for each allocation; without
// effect once a database was opened.
static inline int sluice_count_no_memory(void) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }
// sqlite3_db_config is variadic, which Swift cannot call.
static inline int sluice_keep_log(sqlite3 *database) {
    return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}
