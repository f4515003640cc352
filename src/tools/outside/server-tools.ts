import * as z from 'zod'
import { canBeMounted } from '../../domain/bounds.ts'
import { changePermissions, missingPermissions } from '../../domain/permission.ts'
import { isRecord } from '../../domain/text/unknown-value.ts'
import { Problem } from '../../domain/problem.ts'
import type { ElicitedForm, ServerPlace } from '../../outside/connection.ts'
import type { ReviewedTool } from '../../outside/review-file.ts'
import type { OutsideServer } from '../../outside/server.ts'
import { classNeeds, classOf, type ClassedTool } from '../../outside/tool-class.ts'
import { namedTools } from '../../outside/tool-name.ts'
import { defineTool } from '../gate.ts'
import type { Tool, ToolAnswer, ToolContext } from '../tool.ts'
import { formQuestion } from './form.ts'
import { plainText, resultText } from './result-text.ts'

const DESCRIPTION_CHARS = 600

/** The tools of the servers that the user reviewed, each held to what it was classed as. */
export function serverTools(servers: readonly OutsideServer[]): Tool[] {
  return servers.flatMap((server) => {
    if (!server.settings.enabled || server.reviewed === null) return []
    return namedTools(server.name, server.reviewed.tools).taken.flatMap(({ name, tool }) => {
      const judged = classOf(server, tool)
      return judged === null ? [] : [serverTool(server, name, tool, judged)]
    })
  })
}

function serverTool(server: OutsideServer, name: string, reviewed: ReviewedTool, judged: ClassedTool): Tool {
  const { roles } = server.settings
  return defineTool({
    name,
    description: plainText(reviewed.description, DESCRIPTION_CHARS) || `${reviewed.name} of ${server.name}`,
    required_permissions: classNeeds[judged.class],
    ...(roles && { roles }),
    input: inputSchema(reviewed),
    asks: judged.asks ?? false,
    run: async (input, context) => callServer(server, reviewed, judged, input, context),
    recover: async () => (judged.class === 'read' ? 'run_again' : 'interrupted'),
  })
}

/** What its server says it takes. The server judges it; what is missing is said here, before a person is asked. */
function inputSchema({ input_schema }: ReviewedTool) {
  const { $schema: _, ...told } = input_schema
  const required = Array.isArray(told['required']) ? told['required'].filter((field) => typeof field === 'string') : []
  return z
    .looseObject({})
    .superRefine((input, context) => {
      for (const field of required)
        if (!Object.hasOwn(input, field)) context.addIssue({ code: 'custom', path: [field], message: 'is missing' })
    })
    .meta(isRecord(told['properties']) ? told : { ...told, properties: {} })
}

async function callServer(
  server: OutsideServer,
  tool: ReviewedTool,
  judged: ClassedTool,
  input: unknown,
  context: ToolContext,
): Promise<ToolAnswer> {
  const { servers, signal, onOutput, call_id, networkLeave } = context
  if (servers === undefined) throw new Problem('internal', 'no servers can be started here')
  const asked: ElicitedForm[] = []
  const result = await servers.call({
    server,
    tool,
    input,
    place: placeOf(context, judged),
    signal,
    ...(networkLeave.asks && {
      onElicit: (form: ElicitedForm) => {
        const answer = servers.takeAnswer(call_id)
        if (answer === undefined) asked.push(form)
        return answer ?? { action: 'cancel' }
      },
    }),
    ...(onOutput && { onProgress: (text: string) => onOutput(plainText(text, 2_000), call_id) }),
  })
  const question = asked[0] === undefined ? null : formQuestion(server.name, tool.name, asked[0])
  if (question !== null) return { output: 'waiting for the user to answer the server', details: { ...question }, ends: 'waiting' }
  return {
    output: resultText(result),
    details: { server: server.name, tool: tool.name, class: judged.class },
    failed: result.isError === true,
  }
}

/** A server whose tool may only read gets a workspace that nobody can change; any other what a command of the role gets. */
function placeOf({ root, bounds, commands, sandbox, permissions }: ToolContext, judged: ClassedTool): ServerPlace {
  const changes = missingPermissions(permissions, changePermissions).length === 0 && canBeMounted(bounds.write_paths)
  const access = judged.class === 'read' ? 'read' : changes ? 'change' : 'throw_away'
  return { root, access, bounds, commands, sandbox }
}
