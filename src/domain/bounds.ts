import * as z from 'zod'
import { isWithin, narrowedPolicy, NetworkSetting, networkPolicy, settingOf } from './network/policy.ts'

/** How far the permissions of a run reach: whom it may speak to. */
export type Bounds = z.infer<typeof Bounds>
export const Bounds = z.object({ network: NetworkSetting.default('on') })

/** No bound beyond the permissions. */
export const unbounded: Bounds = { network: 'on' }

export function boundsOf({ network }: { network: NetworkSetting }): Bounds {
  return { network: settingOf(networkPolicy(network)) }
}

/** What lies within both. */
export function narrowedBounds(one: Bounds, other: Bounds): Bounds {
  return { network: settingOf(narrowedPolicy(networkPolicy(one.network), networkPolicy(other.network))) }
}

/** Whether bounds surely allow nothing that others do not. */
export function areWithin(bounds: Bounds, most: Bounds): boolean {
  return isWithin(networkPolicy(bounds.network), networkPolicy(most.network))
}
