import { launcher } from '../src/cli/test-account.ts'
import { quickest, runToEnd, type Bench } from './report/bench.ts'

/** How long a person waits before a command does anything: the bundle against a Node that does nothing. */
export const bench: Bench = {
  name: 'command line start',
  run: async () => {
    const { floor, version, help } = await quickest(20, {
      floor: () => runToEnd(process.execPath, ['-e', '0']),
      version: () => runToEnd(launcher, ['--version']),
      help: () => runToEnd(launcher, ['--help']),
    })
    return [
      { what: 'troupe --version', unit: 'ms', floor, ours: version, budget: { at_most: 1.5 } },
      { what: 'troupe --help', unit: 'ms', floor, ours: help, budget: { at_most: 2 } },
    ]
  },
}
