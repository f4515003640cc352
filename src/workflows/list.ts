import type { Catalogue } from './catalogue.ts'

/** The catalogue as people see it: what can be played and where it came from, and what was refused. */
export function listedWorkflows({ entries, refused }: Catalogue) {
  const workflows = [...entries.values()].map(({ workflow: { id, name, description, version, steps }, source, file, shadows }) => ({
    id,
    name,
    description,
    version,
    steps: steps.length,
    source,
    file,
    shadows,
  }))
  return { workflows, refused }
}
