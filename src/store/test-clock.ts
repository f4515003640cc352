import { until } from '../sandbox/test-until.ts'
import type { Driver } from './driver.ts'

/** Until the store's clock shows another time: what happens in the same millisecond has no order. */
export async function untilLater(driver: Driver): Promise<void> {
  const now = (await driver.now()).getTime()
  await until(async () => (await driver.now()).getTime() > now)
}
