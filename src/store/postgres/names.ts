/** Held by whoever writes, from its first statement to its commit. Any number will do, as long as every Troupe takes the same. */
export const WRITER_LOCK = 7_419_208_155

/** Where PostgreSQL says that the log has grown. */
export const LOG_CHANNEL = 'troupe_log'

/** The error code that says: a statement that had to find a row found none. PostgreSQL itself uses no code that begins like this. */
export const OUTDATED = 'TR001'
