/** One line of the story: a verb of `troupe job` with its words, what it must end with and what it must say. */
export interface Line {
  verb: string
  words: string[]
  /** Only looks: neither the store nor a file may change. */
  looks?: true
  /** Is first tried with --dry-run, which must change nothing. */
  dry?: true
  code?: number
  says: RegExp
}

const stuck = '{"action": "STUCK", "evidence_files": [], "summary_for_supervisor": "Which name?"}'
const good = '{"action": "COMPLETED", "evidence_files": ["one.txt"], "summary_for_supervisor": "Good."}'

/** A job from draft to cleaned up, by every verb there is. Needs a script for its seats and a role file. */
export function storyWith({ model, roleFile, out }: { model: string; roleFile: string; out: string }): Line[] {
  const seats = ['--worker-model', model, '--supervisor-model', model]
  // oxfmt-ignore
  return [
    { verb: 'create', words: ['demo', '--objective', 'Make it', '--phase', 'one', '--phase', 'two: the rest', ...seats], dry: true, says: /"status": "DRAFT"/ },
    { verb: 'config', words: ['demo', '--max-cost-usd', '2', '--check', 'there=test -f a.txt'], dry: true, says: /"max_cost_microusd": 2000000/ },
    { verb: 'activate', words: ['demo', '--rank', '0'], dry: true, says: /"status": "PENDING"/ },
    { verb: 'list', words: [], looks: true, says: /"queue": 0/ },
    { verb: 'status', words: ['demo'], looks: true, says: /"possible_moves"/ },
    { verb: 'show', words: ['demo'], looks: true, says: /"move": "activate"/ },
    { verb: 'preview', words: ['demo'], looks: true, says: /"seat": "worker"[^]*Make it/ },
    { verb: 'step', words: ['demo'], dry: true, says: /"status": "REVIEW_REQUIRED"/ },
    { verb: 'poststep', words: ['demo', '--response-string', good, '--role', 'supervisor'], dry: true, code: 10, says: /APPROVAL_REQUIRED/ },
    { verb: 'reject', words: ['demo', 'Too short.'], dry: true, says: /Rejected: Too short\.|"reject"/ },
    { verb: 'run', words: [], dry: true, code: 10, says: /"steps": 2|"queue"/ },
    { verb: 'restep', words: ['demo', '--step', '1', '--rollback', '--note', 'Smaller.'], dry: true, says: /PENDING/ },
    { verb: 'suspend', words: ['demo'], dry: true, says: /SUSPENDED/ },
    { verb: 'resume', words: ['demo'], dry: true, says: /PENDING/ },
    { verb: 'poststep', words: ['demo', '--response-string', stuck], code: 10, says: /"reason": "stuck"/ },
    { verb: 'resubmit', words: ['demo', 'Call it one.'], dry: true, says: /PENDING/ },
    { verb: 'run', words: ['demo'], code: 10, says: /APPROVAL_REQUIRED/ },
    { verb: 'approve', words: ['demo'], dry: true, says: /PENDING/ },
    { verb: 'run', words: ['demo'], code: 10, says: /APPROVAL_REQUIRED/ },
    { verb: 'approve', words: ['demo'], says: /"status": "SUCCESS"/ },
    { verb: 'chat', words: ['demo', 'What', 'is', 'it?'], says: /"text": "It greets\."/ },
    { verb: 'history', words: ['demo', '--from', '2'], looks: true, says: /"sequence": 2/ },
    { verb: 'fixture', words: ['demo', '1'], looks: true, says: /"raw_response"/ },
    { verb: 'replay', words: ['demo'], looks: true, says: /"differences": \[\]/ },
    { verb: 'replay', words: ['demo', '--from', '7', '--with-model', model], says: /"now": "COMPLETED"/ },
    { verb: 'replay', words: ['demo', '--from', '7', '--role-file', roleFile], says: /"now": "STUCK"[^]*"summary": "I would rather not\."/ },
    { verb: 'metrics', words: ['demo'], looks: true, says: /"success_rate"/ },
    { verb: 'diff', words: ['demo'], looks: true, says: /"path": "one\.txt"/ },
    { verb: 'export', words: ['demo', '--out', out], dry: true, says: /"files"/ },
    { verb: 'merge', words: ['demo', '--into', 'release'], dry: true, says: /"merged_commit": "[0-9a-f]{40}"|"into": "release"/ },
    { verb: 'recover', words: [], dry: true, says: /"jobs": \[\]/ },
    { verb: 'cleanup', words: [], dry: true, says: /"job_id": "demo"/ },
    { verb: 'create', words: ['other', '--objective', 'Never mind'], says: /"DRAFT"/ },
    { verb: 'cancel', words: ['other', 'Not wanted'], dry: true, says: /CANCELED/ },
    { verb: 'schema', words: [], looks: true, says: /"summary_for_supervisor"/ },
  ]
}

/** What a person may get wrong after the story, verb by verb, and the words that help. */
// oxfmt-ignore
export const mistakes: Line[] = [
  { verb: 'create', words: ['../evil', '--objective', 'x'], says: /letters, digits, _ and -/ },
  { verb: 'create', words: ['demo', '--objective', 'x'], says: /demo/ },
  { verb: 'create', words: ['new', '--worker-role', 'wroker'], says: /wroker/ },
  { verb: 'create', words: ['new', '--source', '/nowhere'], says: /\/nowhere/ },
  { verb: 'create', words: ['new', '--check', 'npm test'], says: /NAME=COMMAND/ },
  { verb: 'create', words: ['new', '--phase', 'a', '--phase', 'a'], says: /a/ },
  { verb: 'create', words: ['new', '--spec', 'no.json'], says: /no\.json/ },
  { verb: 'create', words: [], says: /missing required argument 'id'/ },
  { verb: 'config', words: ['demo', '--max-cost-usd', 'much'], says: /--max-cost-usd is much; it takes an amount in dollars/ },
  { verb: 'config', words: ['demo', '--objective', 'y'], says: /objective of demo cannot be changed now that it is SUCCESS/ },
  { verb: 'config', words: ['demo', '--rank', 'first'], says: /--rank is first/ },
  { verb: 'activate', words: ['demo'], says: /only from DRAFT/ },
  { verb: 'list', words: ['--colour'], says: /unknown option '--colour'/ },
  { verb: 'status', words: ['nothing'], says: /there is no job nothing; troupe job list shows those there are/ },
  { verb: 'show', words: ['nothing'], says: /there is no job nothing; troupe job list shows those there are/ },
  { verb: 'preview', words: ['demo'], says: /SUCCESS; no agent acts next/ },
  { verb: 'step', words: ['demo'], says: /SUCCESS; it is over/ },
  { verb: 'run', words: ['nothing'], says: /there is no job nothing; troupe job list shows those there are/ },
  { verb: 'poststep', words: ['demo'], says: /--response-file FILE or --response-string TEXT/ },
  { verb: 'poststep', words: ['demo', '--response-file', 'no.txt'], says: /no\.txt cannot be read/ },
  { verb: 'poststep', words: ['demo', '--response-string', good, '--role', 'boss'], says: /worker or supervisor/ },
  { verb: 'restep', words: ['demo', '--step', '0'], says: /numbered from 1/ },
  { verb: 'restep', words: ['demo', '--step', '1'], says: /restep from SUCCESS/ },
  { verb: 'restep', words: ['demo'], says: /required option '--step/ },
  { verb: 'approve', words: ['demo'], says: /only from APPROVAL_REQUIRED/ },
  { verb: 'reject', words: ['demo'], says: /missing required argument 'reason'/ },
  { verb: 'reject', words: ['demo', ' '], says: /reason/ },
  { verb: 'resubmit', words: ['demo'], says: /only from INTERVENTION_REQUIRED/ },
  { verb: 'suspend', words: ['demo'], says: /suspend from SUCCESS/ },
  { verb: 'resume', words: ['demo'], says: /only from SUSPENDED/ },
  { verb: 'cancel', words: ['demo'], says: /cancel from SUCCESS/ },
  { verb: 'chat', words: ['demo', 'hello', '--role', 'nobody'], says: /nobody/ },
  { verb: 'history', words: ['demo', '--from', 'x'], says: /numbered from 1/ },
  { verb: 'fixture', words: ['demo', '99'], says: /99/ },
  { verb: 'replay', words: ['demo', '--role-file', 'no.md'], says: /no\.md cannot be read/ },
  { verb: 'replay', words: ['nothing'], says: /there is no job nothing; troupe job list shows those there are/ },
  { verb: 'metrics', words: ['nothing'], says: /there is no job nothing; troupe job list shows those there are/ },
  { verb: 'diff', words: ['nothing'], says: /there is no job nothing; troupe job list shows those there are/ },
  { verb: 'export', words: ['demo', '--out', '/dev/null/x.patch'], says: /\/dev\/null\/x\.patch/ },
  { verb: 'merge', words: ['demo', '--into', 'nowhere'], says: /no branch nowhere/ },
  { verb: 'recover', words: ['nothing'], says: /there is no job nothing; troupe job list shows those there are/ },
  { verb: 'cleanup', words: ['nothing'], says: /there is no job nothing; troupe job list shows those there are/ },
  { verb: 'schema', words: ['nothing'], says: /exit-command\.schema\.json and llm-chat-schema\.json/ },
  { verb: 'celebrate', words: [], says: /unknown command 'celebrate'/ },
]
