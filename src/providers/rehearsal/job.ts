import { called, resultsOf, type Line, type Scene } from './scene.ts'

/** The objective of the demo's job: no job of a person's own is taken for it. */
export const demoObjective = 'Describe the price parser of this demo for its users'

const USAGE = 'docs/usage.md'
const ERRORS = 'docs/errors.md'
const texts = {
  [USAGE]: "# Using it\n\n`parsePrice('1,299.00')` gives 129900, the price in cents.\n",
  [ERRORS]: '# When it fails\n\nText without a number is refused: `"free" is not a price`.\n',
}

/** Plays a seat of a job: one who may create files leaves a note, and both end with an exit command. */
export function rehearseJob(scene: Scene): Line {
  if (isDemoJob(scene)) return playDemoJob(scene)
  const wrote = called(scene, 'create_file')
  if (scene.offers('create_file') && !wrote) {
    const content = `# Rehearsal notes\n\nWritten by the rehearsal model; no AI model was asked.\n\n${scene.wish.split('\n')[0] ?? ''}\n`
    return { text: '', calls: [{ tool: 'create_file', input: { path: 'rehearsal-notes.md', content } }] }
  }
  if (wrote) return exit('COMPLETED', ['rehearsal-notes.md'], 'I left one file of notes and changed nothing else.')
  return exit('COMPLETED', [], 'I looked at the work and let it pass; no AI model was asked.')
}

/** Whether the demo's job is played. */
function isDemoJob({ system }: Scene): boolean {
  return system.includes(demoObjective)
}

/** The Worker first claims a file that it never wrote; the Supervisor goes by what is there and sends it back. */
function playDemoJob(scene: Scene): Line {
  if (!scene.offers('create_file')) return supervise(scene)
  const path = scene.system.includes(`${ERRORS} was claimed`) ? ERRORS : USAGE
  if (resultsOf(scene, 'create_file').length === 0)
    return { text: '', calls: [{ tool: 'create_file', input: { path, content: texts[path] } }] }
  return exit('COMPLETED', [USAGE, ERRORS], 'Both pages are written.')
}

function supervise({ wish }: Scene): Line {
  if (wish.includes(`${ERRORS}: missing`)) return exit('RETRY', [], `${ERRORS} was claimed and is not there. Write it, then hand in again.`)
  return exit('COMPLETED', [], 'Both pages are there and say what was asked.')
}

function exit(action: string, evidence_files: string[], said: string): Line {
  return { text: '', calls: [{ tool: 'exit', input: { action, evidence_files, summary_for_supervisor: `Rehearsal model: ${said}` } }] }
}
