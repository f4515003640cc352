import { apiPage } from './api-page.ts'
import { cliPage } from './cli-page.ts'
import { configPage } from './config-page.ts'
import { eventsPage } from './events-page.ts'
import { exitCodesPage } from './exit-codes-page.ts'
import { operationsPage } from './operations-page.ts'
import { schemasPage } from './schemas-page.ts'
import { toolsPage } from './tools-page.ts'

/** The pages of `docs/reference` as they should be, by file name. */
export async function referencePages(): Promise<Record<string, string>> {
  return {
    'cli.md': await cliPage(),
    'api.md': apiPage(),
    'operations.md': operationsPage(),
    'config.md': configPage(),
    'schemas.md': await schemasPage(),
    'exit-codes.md': exitCodesPage(),
    'events.md': eventsPage(),
    'tools.md': await toolsPage(),
  }
}
