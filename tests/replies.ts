/** A plan as a model writes it. */
export function planned(goal: string, actions: readonly string[]) {
  return {
    goal,
    steps: actions.map((action, at) => ({
      step_number: at + 1,
      action,
      reason: 'It was asked for',
      tools_needed: ['create_file'],
      estimated_time: '1 min',
    })),
    estimated_total_time: `${actions.length} min`,
    risks: ['The file may be there already'],
    prerequisites: [],
  }
}

/** A question as a model writes it; each option by its value. */
export function asking(question: string, options: Readonly<Record<string, string>>, severity = 'minor') {
  return { type: 'question', question, severity, options: Object.entries(options).map(([value, label]) => ({ label, value })) }
}

/** Prose with a fenced object in it, as models write. */
export function replyWith(prose: string, object: unknown): string {
  return `${prose}\n\n\`\`\`json\n${JSON.stringify(object, null, 2)}\n\`\`\`\n`
}
