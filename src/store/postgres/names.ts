/** Held by the writer, from its first statement to its commit. Any number will do, as long as every Troupe takes the same. */
export const WRITER_LOCK = 7_419_208_155

/** Where PostgreSQL says that the log has grown. */
export const LOG_CHANNEL = 'troupe_log'
