import { useState, useRef, type MouseEvent, type PointerEvent } from 'react'
import type { OperationOutput } from '../../src/api/operations.ts'
import { perform, usePerform, usePerformChosen } from '../api.ts'
import { Button } from '../ui/form/button.tsx'
import { ErrorNote } from '../ui/status/notice.tsx'
import { WordsDialog } from '../ui/form/words-dialog.tsx'

interface Verb {
  label: string
  look: 'primary' | 'plain' | 'danger'
  /** What judges the work holds for the job as it was read, at so many moves. */
  act: (job: string, words: string, moves: number) => Promise<unknown>
  /** What is asked for before it is done; nothing where no words are needed. */
  words?: { label: string; about: string; needed: boolean }
}

const note = { label: 'Note', about: 'The next agent reads it in its prompt.', needed: false }

/** By the move of the table that allows it. */
const verbs: Record<string, Verb> = {
  activate: { label: 'Activate', look: 'primary', act: (job) => perform('job.activate', { job }) },
  approve_job: { label: 'Approve', look: 'primary', act: (job, _words, moves) => perform('job.approve', { job, moves }) },
  reject: {
    label: 'Reject',
    look: 'danger',
    act: (job, reason, moves) => perform('job.reject', { job, reason, moves }),
    words: { label: 'Reason', about: 'The Worker reads it in its next prompt.', needed: true },
  },
  resubmit: {
    label: 'Resubmit to the Worker',
    look: 'primary',
    act: (job, words, moves) => perform('job.resubmit', { job, note: words, moves }),
    words: note,
  },
  resubmit_review: {
    label: 'Resubmit to review',
    look: 'plain',
    act: (job, words, moves) => perform('job.resubmit', { job, note: words, moves, review: true }),
    words: note,
  },
  suspend: { label: 'Suspend', look: 'plain', act: (job) => perform('job.suspend', { job }) },
  resume_work: { label: 'Resume', look: 'primary', act: (job) => perform('job.resume', { job }) },
  cancel: {
    label: 'Cancel the job',
    look: 'danger',
    act: (job, words) => perform('job.cancel', { job, note: words }),
    words: { ...note, about: 'A cancelled job is over for good; its work and its history stay.' },
  },
}

/** A step whose process is gone is settled without asking anyone; one that lives is left alone, and says so. */
const recover: Verb = { label: 'Recover', look: 'plain', act: (job) => perform('job.recover', { job }) }

/** What can be done to a job now: have its agents work, or decide. Exactly what the table allows. */
export function StewardButtons({ view }: { view: OperationOutput<'job.status'> }) {
  const { id, moves } = view.job
  const step = usePerform('job.start')
  const decide = usePerformChosen()
  const [asking, setAsking] = useState<(Verb & { read: number }) | null>(null)
  const single = useSingleClick()
  const atWork = view.job.active === null ? [] : [recover]
  const may = [...view.possible_moves.flatMap((move) => verbs[move] ?? []), ...atWork]
  const ready = view.job.status === 'PENDING' || view.job.status === 'REVIEW_REQUIRED'
  const run = ({ act }: Verb, read: number, words = '') =>
    decide.mutate(() => act(id, words, read), {
      onSuccess: () => {
        setAsking(null)
        single.done()
      },
    })
  const ask = (verb: Verb) => {
    decide.reset() // what was refused before has nothing to do with this
    setAsking({ ...verb, read: moves }) // what changes while they type is not what they judge
  }
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap gap-2" {...single.row}>
        {ready && (
          <StepButtons onStep={(how_far) => step.mutate({ job: id, how_far }, { onSuccess: single.done })} disabled={step.isPending} />
        )}
        {may.map((verb) => (
          <Button key={verb.label} look={verb.look} disabled={decide.isPending} onClick={() => (verb.words ? ask(verb) : run(verb, moves))}>
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

/** A double click is over by then; whoever clicks again later means it. */
const SAME_CLICK_MS = 2_000

/**
 * Keeps the second click of a double click from the button that has just taken the place of the first: until the pointer moves,
 * or two seconds have passed, clicks in the row do nothing. Keys are not clicks and always work.
 */
function useSingleClick() {
  const doneAt = useRef(0)
  return {
    /** To be called when a click has done its work and the row shows other buttons. */
    done: () => {
      doneAt.current = Date.now()
    },
    row: {
      onPointerMove: ({ movementX, movementY }: PointerEvent) => {
        if (movementX !== 0 || movementY !== 0) doneAt.current = 0
      },
      onClickCapture: (event: MouseEvent) => {
        if (event.detail > 0 && Date.now() - doneAt.current < SAME_CLICK_MS) event.stopPropagation()
      },
    },
  }
}
