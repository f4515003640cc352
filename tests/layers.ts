/** A folder imports itself and the lines below it; never sideways, never up. The first line is one front: it may look sideways. */
export const layers = [
  ['main', 'cli'],
  ['api', 'mcp', 'acp'],
  ['chat', 'workflows', 'board', 'jobs'],
  ['config'],
  ['agent'],
  ['tools'],
  ['roles', 'providers', 'worktrees', 'store', 'checkpoints', 'outside'],
  ['sandbox'],
  ['network'],
  ['domain'],
]
