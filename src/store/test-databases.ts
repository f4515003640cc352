import { join } from 'node:path'
import { testFolder, type Cleanup } from '../sandbox/test-folder.ts'
import { openTestPostgres, testPostgresAddress } from './postgres/test-postgres.ts'
import { openTestSqlite } from './test-store.ts'

/** The two databases; a test of the store runs its body on each. `address` is for tests that open one twice. */
export const databases = [
  { database: 'SQLite', open: openTestSqlite, address: async (t: Cleanup) => `sqlite:${join(await testFolder(t), 'troupe.db')}` },
  { database: 'PostgreSQL', open: openTestPostgres, address: testPostgresAddress },
] as const
