import { join } from 'node:path'
import { testFolder, type Cleanup } from '../sandbox/test-folder.ts'
import type { CheckpointSettings } from './workspace.ts'

/** For tests: room enough, in a folder that goes with the test. */
export async function testCheckpoints(t: Cleanup, over: Partial<CheckpointSettings> = {}): Promise<CheckpointSettings> {
  return { folder: join(await testFolder(t), 'checkpoints'), maxBytes: 1e9, maxFileBytes: 1e7, maxAgeMs: 1e10, ...over }
}
