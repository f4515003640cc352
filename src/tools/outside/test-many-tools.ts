import { digestOf } from '../../outside/review-file.ts'
import type { OutsideServer } from '../../outside/server.ts'
import { ServerSettings } from '../../outside/settings.ts'
import type { Tool } from '../tool.ts'
import { serverTools } from './server-tools.ts'

const verbs = ['list', 'get', 'create', 'update', 'delete', 'search', 'comment_on', 'close', 'assign', 'merge']
const nouns = ['issue', 'pull_request']
const servers = ['github', 'gitlab', 'jira', 'linear', 'sentry', 'slack', 'notion', 'postgres', 'browser', 'grafana']

/** Ten servers with twenty tools each, as large as those of the trade, which every role may use. */
export function manyTools(): Tool[] {
  return serverTools(servers.map(aServerOf))
}

function aServerOf(name: string): OutsideServer {
  const tools = verbs.flatMap((verb) => nouns.map((noun) => aTool(`${verb}_${noun}`)))
  const settings = ServerSettings.parse({ command: name, may: 'read' })
  return { name, settings, from: 'user', env: {}, headers: {}, file: '', reviewed: { reviewed_at: '', tools, unreviewed: [] } }
}

function aTool(name: string) {
  const description = `${name.replaceAll('_', ' ')} of a repository, with every field that the caller may want to set or to filter by.`
  const properties = Object.fromEntries(
    ['owner', 'repository', 'number', 'title', 'body', 'state', 'labels'].map((each) => [each, field(each)]),
  )
  return { name, description, input_schema: { type: 'object', properties, required: ['owner'] }, hints: {}, digest: digestOf(name) }
}

function field(about: string) {
  return { type: 'string', description: `The ${about} that is meant; it must exist and be visible to the user.` }
}
