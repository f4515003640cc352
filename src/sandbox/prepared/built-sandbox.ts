import { buildSandbox } from '../confine.ts'
import { controlGroup } from '../control-group.ts'
import type { WaitingProcess } from '../process/waiting-process.ts'
import type { Blueprint } from './blueprint.ts'

/** A sandbox that is being built or waits, with what was made for it outside. It runs one command. */
export interface BuiltSandbox {
  mark: string
  process: WaitingProcess
  /** Ends it, with whatever is in it. */
  discard(): void
}

/** Starts to build one. */
export function buildFrom({ launch, limits, mark }: Blueprint, stdin?: string | null): BuiltSandbox {
  const group = controlGroup(limits)
  try {
    const process = buildSandbox(launch, group.door, stdin)
    const discard = () => {
      process.discard()
      group.discard()
    }
    return { mark, process, discard }
  } catch (error) {
    group.discard()
    throw error
  }
}
