import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rightsOf, type StatedRights } from './foreign-rights.ts'

/** Shapes that role files of public projects have: fields and values, and what they come to here. */
const shapes: [string, StatedRights, string, RegExp | null][] = [
  ['a list of tools', { tools: ['Read', 'Edit', 'Bash'] }, 'edit shell', null],
  ['a text with commas', { tools: 'Read, Grep, Glob' }, '', null],
  ['no tools at all', {}, '', /names no tools/],
  ['a shell for git alone', { tools: 'Read, Bash(git diff:*), Bash(git log:*)' }, '', /Bash\(git diff:\*\) is limited/],
  ['a shell with commas in its limits', { tools: 'Read, Bash(ls, cat)' }, '', /limited/],
  ['a shell without limits in parentheses', { tools: 'Bash(*), Edit' }, 'edit shell', null],
  ['everything', { tools: ['*'] }, 'edit shell', /means everything/],
  ['a shell that is taken away again', { tools: 'Read, Edit, Bash', disallowedTools: 'Bash' }, 'edit', /disallowedTools names Bash/],
  [
    'a part of the shell that is taken away',
    { tools: 'Bash, Read', disallowedTools: ['Bash(rm *)'] },
    '',
    /disallowedTools names Bash\(rm \*\)/,
  ],
  ['everything but writing', { tools: '*', disallowedTools: 'Write, Edit' }, 'shell', /names Write/],
  ['a plan alone', { tools: 'Read, Edit, Bash', permissionMode: 'plan' }, '', /permissionMode: plan/],
  ['another mode', { tools: 'Read, Edit', permissionMode: 'acceptEdits' }, 'edit', null],
  ['tools of servers', { tools: 'Read, mcp__github__create_issue, WebFetch' }, '', /mcp__github__create_issue has no counterpart/],
  ['Gemini’s names', { tools: ['read_file', 'write_file', 'replace', 'run_shell_command'] }, 'edit shell', null],
  ['Copilot’s names', { tools: ['read', 'search', 'edit', 'execute', 'github/*'] }, 'edit shell', /github\/\* has no counterpart/],
  ['a map of tools', { tools: { write: false, edit: false, bash: true } }, 'shell', null],
  ['groups of Roo Code', { tools: ['read', ['edit', { fileRegex: 'md$' }], 'command'] }, 'shell', /edit\(for some files\) is limited/],
  ['Cursor that reads', { readonly: true, tools: 'Edit' }, '', /readonly: true/],
  ['Cursor that changes', { readonly: false }, 'edit shell', /readonly: false means everything/],
  ['OpenCode that denies', { permission: { edit: 'deny', bash: 'deny', webfetch: 'allow' } }, '', null],
  ['OpenCode that asks', { permission: { edit: 'ask', bash: 'allow' } }, 'edit shell', /changing files is asked about there/],
  [
    'OpenCode with a shell for some commands',
    { permission: { bash: { 'git diff': 'allow', '*': 'deny' } } },
    '',
    /for some patterns alone/,
  ],
  ['OpenCode with a refusal in an open shell', { permission: { bash: { '*': 'allow', 'rm *': 'deny' } } }, '', /refuses rm \*/],
  [
    'OpenCode with questions in an open shell',
    { permission: { bash: { '*': 'allow', 'git push*': 'ask' } } },
    'shell',
    /patterns for running commands/,
  ],
  ['OpenCode with edits of documents alone', { permission: { edit: { '*': 'deny', 'docs/**': 'allow' } } }, '', /for some patterns alone/],
  ['a denial that overrides a tool', { tools: { bash: true }, permission: { bash: 'deny' } }, '', null],
  [
    'OpenCode 2',
    {
      permissions: [
        { action: 'edit', resource: '*', effect: 'allow' },
        { action: 'shell', resource: '*', effect: 'deny' },
      ],
    },
    'edit',
    null,
  ],
  [
    'OpenCode 2 where the last rule counts',
    {
      permissions: [
        { action: '*', effect: 'allow' },
        { action: 'shell', resource: '*', effect: 'deny' },
      ],
    },
    'edit',
    null,
  ],
  [
    'OpenCode 2 with a narrower refusal',
    {
      permissions: [
        { action: 'shell', resource: '*', effect: 'allow' },
        { action: 'shell', resource: 'rm *', effect: 'deny' },
      ],
    },
    '',
    /refuses rm \*/,
  ],
  ['values of no kind', { tools: 7, permission: ['x'], permissions: 'x', disallowedTools: null }, '', null],
]

for (const [what, stated, expected, note] of shapes) {
  test(`[R62] ${what}: what it may do here is no more than it states, and what is left out is said`, () => {
    const { permissions, notes } = rightsOf(stated, 'Claude Code')

    const held = [permissions.includes('write_files') && 'edit', permissions.includes('execute_commands') && 'shell']
      .filter(Boolean)
      .join(' ')
    assert.equal(held, expected, notes.join('; '))
    assert.ok(permissions.includes('read_files') && !permissions.includes('delete_files'))
    if (note !== null) assert.match(notes.join('\n'), note)
  })
}
