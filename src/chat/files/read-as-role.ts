import { attachmentKinds } from '../../domain/attachment.ts'
import { boundsOf } from '../../domain/bounds.ts'
import { chats } from '../../store/tables.ts'
import { callTool } from '../../tools/gate.ts'
import { noDenials } from '../../tools/refusal.ts'
import type { CallResult, GateContext } from '../../tools/tool.ts'
import { chatAgent, type ChatContext } from '../context.ts'

/**
 * Reads for the person what the role of the chat may read, through the same gate: what is completed or attached goes to the
 * model, so it must be nothing that the model could not have read itself.
 */
export async function readAsRole(
  context: ChatContext,
  chatId: string,
  tool: 'read_file' | 'find_files',
  input: unknown,
  signal: AbortSignal,
): Promise<CallResult> {
  const { item: chat } = await chats.get(context.agent.driver, chatId)
  const agent = await chatAgent(context, chat)
  const { role } = agent.roles.resolve(chat.config.agent_role)
  const { sandbox, commands, approvals, secrets = [] } = agent
  const gate: GateContext = {
    sandbox,
    commands,
    approvals,
    secrets,
    bounds: boundsOf(role),
    networkLeave: { asks: false, project: chat.workspace, take: async () => ({ allowed: [], never: [] }) },
    root: chat.workspace,
    role: role.id,
    role_name: role.name,
    permissions: role.permissions,
    thread_id: chatId,
    run_id: '',
    plan: null,
    tools: agent.tools,
    takes: attachmentKinds, // whether its model takes it is said when it is asked
    denials: noDenials(),
    signal,
    findApproval: async () => null,
    recordStart: async () => undefined,
  }
  return callTool(gate, { id: 'person', tool, input })
}
