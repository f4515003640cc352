import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { detectSandbox } from '../sandbox/detect.ts'
import { testWorkspace, writeFiles } from '../sandbox/test-workspace.ts'
import { noSandbox } from '../sandbox/test-no-sandbox.ts'
import { testAgent } from './test-agent.ts'

const pdf = '---\nname: pdf\ndescription: Use for PDF forms.\nallowed-tools: Bash Write\n---\nRun scripts/fill.sh.\n'
const call = (tool: string, input: object) => ({ calls: [{ tool, input }] })

test('[R53, R57] an agent is told of skills by name, reads one when it needs it, and may do no more for it', async (t) => {
  const { workspace, requests, play, thread, events } = await testAgent(t, [
    call('read_skill', { name: 'pdf' }),
    call('read_skill', { name: 'pfd' }),
    call('create_file', { path: 'x', content: 'y' }),
    { text: 'done' },
  ])
  await writeFiles(workspace, { '.claude/skills/pdf/SKILL.md': pdf })

  const run = await play({ agent_role: 'planner' })
  const answers = (await thread(run)).flatMap((entry) => (entry.from === 'tool' ? [entry] : []))

  assert.match(requests[0]?.system ?? '', /## Skills\n[^]*- pdf: Use for PDF forms\./)
  assert.ok(!requests[0]?.system.includes('Run scripts/fill.sh'))
  assert.deepEqual(
    answers.map(({ outcome }) => outcome),
    ['ok', 'error', 'denied'],
  )
  assert.match(answers[0]?.output ?? '', /Run scripts\/fill\.sh\./)
  assert.match(answers[1]?.output ?? '', /did you mean pdf\?/)
  assert.ok(events.some((event) => event.type === 'notice' && event.message === 'Skills: 1 can be read'))
})

test('[R58] where there is no skill a request is what it was: no tool and no word more', async (t) => {
  const { workspace, requests, play } = await testAgent(t, [{ text: 'done' }, { text: 'done' }])
  await play({ agent_role: 'actor' })
  await writeFiles(workspace, { '.agents/skills/pdf/SKILL.md': 'broken', '.claude/skills/x.md': '' })
  await play({ agent_role: 'actor' })

  const [before, after] = requests

  assert.deepEqual(after?.tools, before?.tools)
  assert.deepEqual(after?.system, before?.system)
  assert.ok(!JSON.stringify(before).includes('skill'))
})

test('[R59] a role that names a skill is told it in full from the start, and the record of the run names the file', async (t) => {
  const { agent, workspace, requests, events, play } = await testAgent(t, [{ text: 'done' }])
  await writeFiles(workspace, { '.agents/skills/pdf/SKILL.md': pdf })
  const planner = { ...agent.roles.need('planner'), skills: ['pdf', 'gone'] }
  const resolve = () => ({ role: planner, warning: null })
  agent.roles = { ...agent.roles, resolve }

  const run = await play({ agent_role: 'planner' })

  assert.match(requests[0]?.system ?? '', /Run scripts\/fill\.sh\./)
  assert.deepEqual(run.instructions, [join(workspace, '.agents/skills/pdf/SKILL.md')])
  assert.ok(events.some((event) => event.type === 'notice' && /names the skill gone, which is not here/.test(event.message)))
})

test(
  '[R60] the scripts of the user’s skills are there for the commands of a role, to read and not to change',
  { skip: noSandbox },
  async (t) => {
    const own = await testWorkspace(t, { 'skills/pdf/SKILL.md': pdf, 'skills/pdf/scripts/fill.sh': 'echo filled' })
    const script = join(own, 'skills/pdf/scripts/fill.sh')
    const sandbox = await detectSandbox()
    const { play, thread } = await testAgent(
      t,
      [call('execute_command', { command: `sh ${script} && (echo x >> ${script} || echo kept)` }), { text: 'done' }],
      { sandbox, userSkills: [join(own, 'skills')] },
    )

    const run = await play({ agent_role: 'actor' })
    const [answer] = (await thread(run)).flatMap((entry) => (entry.from === 'tool' ? [entry] : []))

    assert.match(answer?.output ?? '', /filled\n.*kept/s)
  },
)
