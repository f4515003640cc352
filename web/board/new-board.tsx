import { LayoutGrid } from 'lucide-react'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { usePerform } from '../api.ts'
import { Button } from '../ui/form/button.tsx'
import { TextArea, TextField } from '../ui/form/field.tsx'
import { Form } from '../ui/form/form.tsx'
import { EmptyState, ErrorNote } from '../ui/status/notice.tsx'
import { Page } from '../ui/layout/page.tsx'
import { LoadAgain } from '../ui/layout/screen.tsx'
import { IntegrationTest } from './board-settings.tsx'

/** What stands where there is no board yet: what one is for, and how to begin. */
export function NewBoard({ repository }: { repository: string | null }) {
  return (
    <Page
      title="New goal"
      about="Give a goal. A planner cuts it into tasks, you approve the plan, coders work in git worktrees, code reviewers give binding verdicts, and only what is approved is merged."
    >
      {repository === null ? <NoRepository /> : <GoalForm repository={repository} />}
      <Steps />
    </Page>
  )
}

function GoalForm({ repository }: { repository: string }) {
  const [, go] = useLocation()
  const create = usePerform('board.init')
  const [goal, setGoal] = useState('')
  const [spec, setSpec] = useState('')
  const [check, setCheck] = useState('')
  function make() {
    const input = { goal, ...(spec.trim() !== '' && { spec_ref: spec }), ...(check.trim() !== '' && { integration_test: check }) }
    create.mutate(input, { onSuccess: ({ id }) => go(`/board/${id}`) })
  }
  return (
    <Form aria-label="New goal" onSubmit={make}>
      <TextArea
        label="What is the goal?"
        rows={3}
        autoFocus
        required
        value={goal}
        onText={setGoal}
        placeholder="Page every list of the API by 50, with a cursor"
      />
      <TextField
        label="Spec file"
        hint="A file of the repository that says what is wanted: every task cites it, and every review is held against it. Without one a planner has nothing to cut into tasks, so write it first, or add the tasks yourself."
        value={spec}
        onText={setSpec}
        placeholder="specs/paging.md"
        spellCheck={false}
      />
      <IntegrationTest value={check} onText={setCheck} />
      {create.isError && <ErrorNote error={create.error} />}
      <div className="flex flex-wrap items-center gap-3">
        <Button type="submit" look="primary" disabled={create.isPending || goal.trim() === ''} icon={LayoutGrid}>
          Create board
        </Button>
        <span className="min-w-0 text-xs text-soft">
          in {repository}; work is merged into the branch <code className="font-mono">integration</code>, never into your checkout
        </span>
      </div>
    </Form>
  )
}

function NoRepository() {
  return (
    <EmptyState title="A board needs a git repository" icon={<LayoutGrid size={28} aria-hidden />} action={<LoadAgain />}>
      Troupe was started in a folder that is in none. Start <code className="font-mono">troupe serve</code> inside a repository with at
      least one commit, or make one here with <code className="font-mono">git init</code>.
    </EmptyState>
  )
}

function Steps() {
  return (
    <section aria-label="From the terminal" className="flex flex-col gap-2 text-sm text-soft">
      <h2 className="font-semibold text-ink">From the terminal</h2>
      <dl className="grid gap-x-4 gap-y-1.5 sm:grid-cols-[max-content_1fr]">
        {commands.map(([command, what]) => (
          <div key={command} className="contents">
            <dt>
              <code className="rounded bg-raised px-1.5 py-0.5 font-mono text-xs text-ink">{command}</code>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

const commands = [
  ['troupe board init "GOAL" --spec-ref FILE', 'makes a board, as the form on this page does'],
  ['troupe team --goal "GOAL" --spec FILE', 'makes it and puts a whole team to work on it'],
  ['troupe board approve-plan', 'lets the tasks be claimed, as the button on the board does'],
] as const
