import { planRestore, restore } from './restore.ts'
import { disturb, seeded } from './test-random-files.ts'
import { beginCall, keptWorkspace } from './workspace.ts'

/** A process to kill: `call` changes files as a command would, `restore` goes back to the first checkpoint. */
const [what, folder = '', root = '', seed = '0'] = process.argv.slice(2)
const workspace = keptWorkspace({ folder, maxBytes: 1e9, maxFileBytes: 1e7, maxAgeMs: 1e10 }, root)
const call = { thread_id: 'thread', run_id: `run-${seed}`, call_id: `call-${seed}` }

if (what === 'call') {
  const begun = await beginCall(workspace, call, 'workspace', new Date())
  process.stdout.write('begun\n')
  const random = seeded(Number(seed))
  for (let count = 0; count < 300; count++) disturb(root, random)
  await begun.end()
} else {
  const plan = planRestore(workspace, 'thread', 1)
  process.stdout.write('begun\n')
  await restore(workspace, plan, { call, to: 1, now: new Date(), told: async () => undefined })
}
