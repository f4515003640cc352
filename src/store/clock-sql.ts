import type { Driver } from './driver.ts'

/** The store's clock as an ISO timestamp, for statements of its own database. */
export const clockSql: Record<Driver['kind'], string> = {
  sqlite: "strftime('%Y-%m-%dT%H:%M:%fZ', 'now')",
  postgres: `to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
}
