import { Problem } from '../domain/problem.ts'
import type { Collection, Stored } from './collection.ts'
import type { Driver } from './driver.ts'

/** A record that one holder at a time may work on, until a moment of the store's clock. */
export interface Leased {
  id: string
  holder: string | null
  lease_expires: string | null
}

/** Makes this holder the only one for a while; `busy` while another's lease runs. A holder may take its own lease again. */
export function takeLease<Item extends Leased>(
  driver: Driver,
  records: Collection<Item>,
  id: string,
  holder: string,
  leaseMs: number,
): Promise<Stored<Item>> {
  return driver.transaction(async (tx) => {
    const was = await records.get(tx, id)
    const now = await tx.now()
    if (isHeldByAnother(was.item, holder, now)) {
      const message = `${id} in ${records.name} is held by ${was.item.holder} until ${was.item.lease_expires}`
      throw new Problem('busy', message, { details: { id, holder: was.item.holder, lease_expires: was.item.lease_expires } })
    }
    return records.replace(tx, was, { ...was.item, holder, lease_expires: after(now, leaseMs) })
  })
}

/** Prolongs a lease. One that has run out may be renewed as long as nobody else took it; after that `conflict`: stop working. */
export function renewLease<Item extends Leased>(
  driver: Driver,
  records: Collection<Item>,
  id: string,
  holder: string,
  leaseMs: number,
): Promise<Stored<Item>> {
  return driver.transaction(async (tx) => {
    const was = await heldBy(tx, records, id, holder)
    return records.replace(tx, was, { ...was.item, lease_expires: after(await tx.now(), leaseMs) })
  })
}

/** Gives a lease back, so that the next holder need not wait for its end. */
export function releaseLease<Item extends Leased>(
  driver: Driver,
  records: Collection<Item>,
  id: string,
  holder: string,
): Promise<Stored<Item>> {
  return driver.transaction(async (tx) => {
    const was = await heldBy(tx, records, id, holder)
    return records.replace(tx, was, { ...was.item, holder: null, lease_expires: null })
  })
}

async function heldBy<Item extends Leased>(tx: Driver, records: Collection<Item>, id: string, holder: string): Promise<Stored<Item>> {
  const was = await records.get(tx, id)
  if (was.item.holder === holder) return was
  const message = `${holder} no longer holds ${id} in ${records.name}; ${was.item.holder ?? 'nobody'} does`
  throw new Problem('conflict', message, { details: { id, holder: was.item.holder } })
}

function isHeldByAnother(item: Leased, holder: string, now: Date): boolean {
  if (item.holder === null || item.holder === holder || item.lease_expires === null) return false
  return new Date(item.lease_expires) > now
}

function after(now: Date, ms: number): string {
  return new Date(now.getTime() + ms).toISOString()
}
