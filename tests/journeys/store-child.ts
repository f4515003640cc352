import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Problem } from '../../src/domain/problem.ts'
import type { Driver } from '../../src/store/driver.ts'
import { testRun } from '../../src/store/test-run.ts'
import { log } from '../../src/store/log.ts'
import { openStore } from '../../src/store/open.ts'
import { runs } from '../../src/store/tables.ts'

// A process that uses a store: `store-child.ts WORK ADDRESS NAME COUNT`. The store journeys start several and let them race.
const [, , work = '', address = '', name = '', count = '0'] = process.argv

const works: Record<string, (store: Driver) => Promise<void>> = {
  /** Raises one shared counter, again and again, by compare-and-set. */
  raise: async (store) => {
    for (let left = Number(count); left > 0; left--) await raise(store)
  },
  /** Raises the same counter by reading and writing it in one transaction, which meets no conflict. */
  raise_inside: async (store) => {
    for (let left = Number(count); left > 0; left--) {
      await store.transaction(async (tx) => {
        const was = await runs.get(tx, 'counter')
        await runs.replace(tx, was, { ...was.item, turns: was.item.turns + 1 })
      })
    }
  },
  /** Adds a record and appends a line in one transaction, again and again. */
  add: async (store) => {
    for (let at = 0; at < Number(count); at++) await addPair(store, `${name}_${at}`)
  },
  /** Adds records until it is killed, telling of each one that was acknowledged. */
  forever: async (store) => {
    for (let at = 0; ; at++) {
      await addPair(store, `${name}_${at}`)
      process.stdout.write(`${name}_${at}\n`)
    }
  },
  /** Tells of every line of the log until it has seen enough. */
  tail: async (store) => {
    const stop = new AbortController()
    for await (const { seq } of log.tail(store, 0, stop.signal)) {
      process.stdout.write(`${seq}\n`)
      if (seq === Number(count)) stop.abort()
    }
  },
}

const store = await openStore(address)
process.stdout.write('ready\n')
await once(process.stdin, 'data') // so that all who race start at the same moment
process.stdin.destroy()
await works[work]?.(store)
await store.close()

async function raise(driver: Driver): Promise<void> {
  for (;;) {
    const was = await runs.get(driver, 'counter')
    try {
      await runs.replace(driver, was, { ...was.item, turns: was.item.turns + 1 })
      return
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'conflict') throw error
    }
    await sleep(Math.random() * 3)
  }
}

async function addPair(driver: Driver, id: string): Promise<void> {
  await driver.transaction(async (tx) => {
    await runs.add(tx, testRun({ id }))
    await log.append(tx, { topic: 'pair', subject: id, data: null })
  })
}
