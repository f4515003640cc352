/** An output every criterion of the built-in workflows accepts. */
export const output = [
  '# Goal\n# Acceptance criteria\n# Out of scope\n1. steps in src/a.ts',
  'risk: none. The test failed before and passes now. confirmed. APPROVE. valid.',
  'x'.repeat(200),
].join('\n')

/** What an agent would set on the way: every branch but one is taken, and every loop has two rounds at most. */
export const findings = {
  size: 'large',
  openQuestions: 0,
  reproduced: true,
  hypotheses: ['cache', 'clock'],
  causeFound: false,
  files: ['a.ts', 'b.ts'],
  testsPass: true,
  refactoringSteps: ['rename', 'extract'],
  risks: ['empty input', 'long input'],
  stable: false,
  hasLoops: true,
}
