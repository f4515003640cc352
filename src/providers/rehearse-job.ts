import { called, type Line, type Scene } from './rehearsal-scene.ts'
import { isDemoJob, playDemoJob } from './rehearse-demo-job.ts'

/** Plays a seat of a job: one who may create files leaves a note, and both end with an exit command. */
export function rehearseJob(scene: Scene): Line {
  if (isDemoJob(scene)) return playDemoJob(scene)
  const wrote = called(scene, 'create_file')
  if (scene.offers('create_file') && !wrote) {
    const content = `# Rehearsal notes\n\nWritten by the rehearsal model; no AI model was asked.\n\n${scene.wish.split('\n')[0] ?? ''}\n`
    return { text: '', calls: [{ tool: 'create_file', input: { path: 'rehearsal-notes.md', content } }] }
  }
  const evidence_files = wrote ? ['rehearsal-notes.md'] : []
  const summary_for_supervisor = wrote
    ? 'Rehearsal model: I left one file of notes and changed nothing else.'
    : 'Rehearsal model: I looked at the work and let it pass; no AI model was asked.'
  return { text: '', calls: [{ tool: 'exit', input: { action: 'COMPLETED', evidence_files, summary_for_supervisor } }] }
}
