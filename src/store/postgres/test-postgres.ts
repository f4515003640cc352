import { Client } from 'pg'
import type { Driver, StoreOptions } from '../driver.ts'
import type { Cleanup } from '../../sandbox/test-folder.ts'
import { openStore } from '../open.ts'
import { startTestServer } from './test-postgres-server.ts'

let shared: ReturnType<typeof startTestServer> | undefined
let databases = 0

/** A fresh store in PostgreSQL, closed when the test ends. */
export async function openTestPostgres(t: Cleanup, options?: StoreOptions): Promise<Driver> {
  const store = await openStore(await testPostgresAddress(), options)
  t.after(() => store.close())
  return store
}

/** The address of a fresh, empty database on the server that all tests of this process share. */
export async function testPostgresAddress(): Promise<string> {
  shared ??= startTestServer()
  const server = await shared
  const name = `test_${++databases}`
  const client = new Client(server.address('postgres'))
  await client.connect()
  await client.query(`create database ${name}`)
  await client.end()
  return server.address(name)
}
