import { sourcesIn } from '../sources.ts'
import { code, table } from './markdown.ts'

/** What each variable means. Which there are is read from the sources: one that is missing here, or gone there, is an error. */
const meanings: Record<string, string> = {
  TROUPE_HOME: 'where the store and the token lie; by default `~/.local/share/troupe`',
  TROUPE_STORE: 'the store: `sqlite:PATH` or `postgres://…`; the setting `store`',
  TROUPE_PORT: 'the port of the server; the setting `port`',
  TROUPE_JOBS_DIR: 'where jobs are made; by default `~/.local/share/troupe-jobs`',
  TROUPE_JOB_ID: 'the job that is meant when none is named',
  TROUPE_WORKFLOW_PATH: 'more folders with workflows, separated by colons',
  TROUPE_AGENT_ID: 'the agent of the board one acts as, such as `coder-1`',
  TROUPE_AGENT_GENERATION: 'the registration of that agent, where it is not kept in `.troupe/agents`',
  TROUPE_DEBUG: 'when set, an unforeseen problem is shown with its stack',
  LIZA_AGENT_ID: 'another name of `TROUPE_AGENT_ID`',
}

/** The variables of our own, as a table. */
export function environmentTable(): string {
  const read = new Set(
    sourcesIn('src')
      .filter(({ file }) => !/test/.test(file))
      .flatMap(({ text }) => [...text.matchAll(/env\['((?:TROUPE|LIZA)_\w+)'\]/g)].map(([, name = '']) => name)),
  )
  const wrong = [...read].filter((name) => !(name in meanings)).concat(Object.keys(meanings).filter((name) => !read.has(name)))
  if (wrong.length > 0) throw new Error(`tests/reference/environment.ts and the sources disagree about ${wrong.join(', ')}`)
  return table(
    ['Variable', 'Means'],
    Object.entries(meanings).map(([name, means]) => [code(name), means]),
  )
}
