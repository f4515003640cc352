import { useState } from 'react'
import type { JobView, StewardMove } from '../../src/api/contract/job.ts'
import { useChange } from '../api.ts'
import { Button } from '../ui/button.tsx'
import { ErrorNote } from '../ui/notice.tsx'
import { useSingleClick } from '../ui/use-single-click.ts'
import { WordsDialog } from '../ui/words-dialog.tsx'

interface Verb {
  move: StewardMove
  label: string
  look: 'primary' | 'plain' | 'danger'
  /** It is about what the job has come to, so it holds for the job as it was read. */
  judges?: true
  /** What is asked for before it is done; nothing where no words are needed. */
  words?: { label: string; about: string; needed: boolean }
}

const note = { label: 'Note', about: 'Whoever works next reads it in its prompt.', needed: false }

/** By the move of the table that allows it. */
const verbs: Record<string, Verb> = {
  activate: { move: 'activate', label: 'Activate', look: 'primary' },
  approve_job: { move: 'approve', label: 'Approve', look: 'primary', judges: true },
  reject: {
    move: 'reject',
    label: 'Reject',
    look: 'danger',
    judges: true,
    words: { label: 'Reason', about: 'The Worker reads it in its next prompt.', needed: true },
  },
  resubmit: { move: 'resubmit', label: 'Resubmit to the Worker', look: 'primary', judges: true, words: note },
  resubmit_review: { move: 'resubmit_review', label: 'Resubmit to review', look: 'plain', judges: true, words: note },
  suspend: { move: 'suspend', label: 'Suspend', look: 'plain' },
  resume_work: { move: 'resume', label: 'Resume', look: 'primary' },
  cancel: {
    move: 'cancel',
    label: 'Cancel the job',
    look: 'danger',
    words: { ...note, about: 'A cancelled job is over for good; its work and its history stay.' },
  },
}

/** A step whose process is gone is settled without asking anyone; one that lives is left alone, and says so. */
const recover: Verb = { move: 'recover', label: 'Recover', look: 'plain' }

/** What can be done to a job now: have its agents work, or decide. Exactly what the table allows. */
export function StewardButtons({ view }: { view: JobView }) {
  const { id, moves } = view.job
  const step = useChange('stepJob')
  const decide = useChange('moveJob')
  const [asking, setAsking] = useState<(Verb & { read: number }) | null>(null)
  const single = useSingleClick()
  const atWork = view.job.active === null ? [] : [recover]
  const may = [...view.possible_moves.flatMap((move) => verbs[move] ?? []), ...atWork]
  const ready = view.job.status === 'PENDING' || view.job.status === 'REVIEW_REQUIRED'
  const run = ({ move, judges }: Verb, read: number, words = '') =>
    decide.mutate(
      { params: { id }, body: { move, note: words, ...(judges && { moves: read }) } },
      {
        onSuccess: () => {
          setAsking(null)
          single.done()
        },
      },
    )
  const ask = (verb: Verb) => {
    decide.reset() // what was refused before has nothing to do with this
    setAsking({ ...verb, read: moves }) // what changes while they type is not what they judge
  }
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap gap-2" {...single.row}>
        {ready && <StepButtons onStep={(how_far) => step.mutate({ params: { id }, body: { how_far } })} disabled={step.isPending} />}
        {may.map((verb) => (
          <Button key={verb.move} look={verb.look} disabled={decide.isPending} onClick={() => (verb.words ? ask(verb) : run(verb, moves))}>
            {verb.label}
          </Button>
        ))}
      </div>
      {step.isError && <ErrorNote error={step.error} />}
      {decide.isError && asking === null && <ErrorNote error={decide.error} />}
      {asking?.words && (
        <WordsDialog
          {...asking.words}
          title={asking.label}
          act={asking.label}
          look={asking.look}
          change={decide}
          onAct={(words) => run(asking, asking.read, words)}
          onClose={() => setAsking(null)}
        />
      )}
    </div>
  )
}

function StepButtons({ onStep, disabled }: { onStep: (howFar: 'run' | 'step') => void; disabled: boolean }) {
  return (
    <>
      <Button look="primary" disabled={disabled} onClick={() => onStep('run')}>
        Run until you are needed
      </Button>
      <Button disabled={disabled} onClick={() => onStep('step')}>
        One step
      </Button>
    </>
  )
}
