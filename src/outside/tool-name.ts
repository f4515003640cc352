/** As long as every provider takes. */
const MOST_CHARS = 64

/** What a model calls a tool of a server; null where no name fits. */
export function toolName(server: string, tool: string): string | null {
  if (!/^[A-Za-z0-9][A-Za-z0-9_./-]*$/.test(tool)) return null
  const name = `mcp__${server}__${tool.replaceAll(/[./]/g, '_')}`
  return name.length > MOST_CHARS ? null : name
}

/** The tools of a server by what a model calls them, and those that get no name or share one, with why. */
export function namedTools<Tool extends { name: string }>(server: string, tools: readonly Tool[]) {
  const named = Map.groupBy(tools, ({ name }) => toolName(server, name))
  const taken = [...named].flatMap(([name, sharing]) =>
    name !== null && sharing.length === 1 ? sharing.map((tool) => ({ name, tool })) : [],
  )
  const refused = [...named].flatMap(([name, sharing]) => {
    if (name !== null && sharing.length === 1) return []
    const why = name === null ? 'its name cannot be passed on to a model' : `${sharing.length} tools would be called ${name}`
    return sharing.map((tool) => ({ tool, why }))
  })
  return { taken, refused }
}
