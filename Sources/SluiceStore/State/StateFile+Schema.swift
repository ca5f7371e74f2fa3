extension StateFile {
    /// The tables, and how those of earlier versions become them; one that was released never changes.
    static let migrations = [
        Database.Migration(
            """
            CREATE TABLE part (
                path TEXT PRIMARY KEY, key TEXT NOT NULL, directory TEXT NOT NULL, folder TEXT, name TEXT NOT NULL,
                place INTEGER NOT NULL, inode INTEGER NOT NULL, born INTEGER NOT NULL, tag TEXT, date TEXT,
                total INTEGER, isWhole INTEGER NOT NULL, finalURL TEXT NOT NULL, destination TEXT
            ) WITHOUT ROWID;
            CREATE INDEX partDirectory ON part (directory);
            CREATE TABLE file (
                directory TEXT NOT NULL, key TEXT NOT NULL, path TEXT NOT NULL, size INTEGER NOT NULL,
                modified INTEGER NOT NULL, PRIMARY KEY (directory, key)
            ) WITHOUT ROWID;
            CREATE TABLE session (id INTEGER PRIMARY KEY AUTOINCREMENT, lock TEXT NOT NULL);
            CREATE TABLE task (
                session INTEGER NOT NULL, task INTEGER NOT NULL, band INTEGER NOT NULL, rank INTEGER NOT NULL,
                isPaused INTEGER NOT NULL, priority INTEGER, PRIMARY KEY (session, task)
            ) WITHOUT ROWID;
            CREATE TABLE request (
                session INTEGER NOT NULL, task INTEGER NOT NULL, receipt INTEGER NOT NULL, key TEXT NOT NULL,
                url TEXT NOT NULL, options INTEGER NOT NULL, source TEXT NOT NULL, tag TEXT, PRIMARY KEY (session, task, receipt)
            ) WITHOUT ROWID;
            CREATE TABLE options (id INTEGER PRIMARY KEY, fields TEXT NOT NULL UNIQUE);
            CREATE TABLE failed (
                key TEXT PRIMARY KEY, url TEXT NOT NULL, code TEXT NOT NULL, message TEXT NOT NULL, status INTEGER,
                body TEXT, until INTEGER NOT NULL
            ) WITHOUT ROWID;
            """
        ),
        // The order in which files were saved, for each directory, so that the oldest can be forgotten.
        Database.Migration("ALTER TABLE file ADD COLUMN place INTEGER NOT NULL DEFAULT 0;"),
        // Several files may be known for one key, each at a path of its own.
        Database.Migration(
            """
            CREATE TABLE files (
                directory TEXT NOT NULL, key TEXT NOT NULL, path TEXT NOT NULL, size INTEGER NOT NULL,
                modified INTEGER NOT NULL, place INTEGER NOT NULL, PRIMARY KEY (directory, key, path)
            ) WITHOUT ROWID;
            INSERT INTO files SELECT directory, key, path, size, modified, place FROM file;
            DROP TABLE file;
            ALTER TABLE files RENAME TO file;
            """
        ),
        // Where the files of a session go, which is not known of those that are not placed, and whether its queue was
        // suspended; the session that a request was taken over from.
        Database.Migration(
            """
            ALTER TABLE session ADD COLUMN isPlaced INTEGER NOT NULL DEFAULT 0;
            ALTER TABLE session ADD COLUMN directory TEXT;
            ALTER TABLE session ADD COLUMN isSuspended INTEGER NOT NULL DEFAULT 0;
            ALTER TABLE request ADD COLUMN origin INTEGER;
            """
        ),
        // How long a part was when it was left.
        Database.Migration("ALTER TABLE part ADD COLUMN length INTEGER;"),
        // When the next attempt of a task is due; apart, since a Sluice of an earlier version may write tasks meanwhile.
        // What is left of tasks that wait no more goes with them.
        Database.Migration(
            """
            CREATE TABLE wait (
                session INTEGER NOT NULL, task INTEGER NOT NULL, until INTEGER NOT NULL, PRIMARY KEY (session, task)
            ) WITHOUT ROWID;
            """
        ),
        // The tasks' own limits, apart for the same reason.
        Database.Migration(
            """
            CREATE TABLE rate (
                session INTEGER NOT NULL, task INTEGER NOT NULL, bytes INTEGER NOT NULL, PRIMARY KEY (session, task)
            ) WITHOUT ROWID;
            """
        ),
        // What may have caused a failure, so that a session where that is otherwise asks again. Not known where a Sluice
        // of an earlier version writes it, meanwhile too.
        Database.Migration("ALTER TABLE failed ADD COLUMN circumstances TEXT;"),
        // The rules of trust that a request was asked for under, so that it goes on under no others by itself. Not
        // known where a Sluice of an earlier version writes it, either.
        Database.Migration("ALTER TABLE request ADD COLUMN trust TEXT;"),
    ]
}
