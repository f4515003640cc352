import { textField, textsField, type Loose, type LooseState, type Violation, violation } from './rule.ts'

/** The rules about how tasks hang together. */
export function dependencyRules({ tasks }: LooseState): Violation[] {
  const byId = new Map(tasks.map((task) => [textField(task, 'id'), task]))
  const single = tasks.flatMap((task) => {
    const dependsOn = textsField(task, 'depends_on')
    const unknown = dependsOn.filter((id) => !byId.has(id))
    const unmerged = dependsOn.filter((id) => byId.has(id) && byId.get(id)?.['status'] !== 'MERGED')
    return [
      ...unknown.map((id) => violation(15, textField(task, 'id'), `it depends on ${id}, which is not on the board`)),
      ...textsField(task, 'superseded_by').flatMap((id) =>
        byId.has(id) ? [] : [violation(56, textField(task, 'id'), `it is superseded by ${id}, which is not on the board`)],
      ),
      ...(task['status'] === 'CLAIMED'
        ? unmerged.map((id) => violation(16, textField(task, 'id'), `it is CLAIMED although ${id} is not MERGED`))
        : []),
    ]
  })
  const circles = circlesIn(byId).map((circle) =>
    violation(17, circle[0] ?? '', `dependencies lead in a circle: ${[...circle, circle[0]].join(' → ')}`),
  )
  return [...single, ...circles]
}

/** Each circle once. Without recursion: a chain may be longer than the stack is deep. */
function circlesIn(tasks: ReadonlyMap<string, Loose>): string[][] {
  const done = new Set<string>()
  const circles: string[][] = []
  for (const start of tasks.keys()) {
    const path: string[] = []
    const onPath = new Map<string, number>()
    const todo: { id: string; leave: boolean }[] = [{ id: start, leave: false }]
    for (let at = todo.pop(); at !== undefined; at = todo.pop()) {
      if (at.leave) {
        onPath.delete(path.pop() ?? '')
        done.add(at.id)
        continue
      }
      const seenAt = onPath.get(at.id)
      if (seenAt !== undefined) circles.push(path.slice(seenAt))
      const task = tasks.get(at.id)
      if (seenAt !== undefined || done.has(at.id) || task === undefined) continue
      onPath.set(at.id, path.length)
      path.push(at.id)
      todo.push({ id: at.id, leave: true }, ...textsField(task, 'depends_on').map((id) => ({ id, leave: false })))
    }
  }
  return circles
}
