import { openTestPostgres } from './test-postgres.ts'
import { openTestSqlite } from './test-store.ts'

/** The two databases; a test of the store runs its body on each. */
export const databases = [
  { database: 'SQLite', open: openTestSqlite },
  { database: 'PostgreSQL', open: openTestPostgres },
] as const
