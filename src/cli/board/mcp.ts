import { givenId } from '../../board/team/identity.ts'
import { openOutsideSession } from '../../board/team/outside-session.ts'
import { roleOfAgent } from '../../domain/board/agent.ts'
import { Problem } from '../../domain/problem.ts'
import { boardMcpTools } from '../../mcp/board-tools.ts'
import type { McpTool } from '../../mcp/tool.ts'
import { openStation } from '../team/open-team.ts'
import { say } from '../terminal.ts'

/** Registers the agent that the environment names and gives its tools; it stays registered until the client hangs up. */
export async function openBoardTools(): Promise<{ tools: McpTool[]; close: () => Promise<void> }> {
  const id = givenId(process.env)
  if (id === null) throw new Problem('bad_input', 'name the agent in TROUPE_AGENT_ID, such as coder-1')
  const role = roleOfAgent(id)
  const { context, close } = await openStation({}, () => ({ onRun: () => undefined, say }))
  try {
    const post = await openOutsideSession(context, { role, id }, new AbortController().signal)
    const hangUp = async () => {
      await post.leave('its client hung up')
      await close()
    }
    return { tools: boardMcpTools(post), close: hangUp }
  } catch (error) {
    await close()
    throw error
  }
}
