import assert from 'node:assert/strict'
import { mkdir, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { JobHistory } from '../../src/domain/job/history.ts'
import { exit } from '../../src/jobs/test-job.ts'
import { openShell } from '../open-shell.ts'

const command = exit('COMPLETED', ['made.txt'], 'Made.')

test('[J43] a source repository that moved stops every verb that needs it with the way to name it again; another repository is no answer', async (t) => {
  const { account, troupe } = await openShell(t, { 'a.txt': 'one\n' })
  const model = await account.script([{ text: command, repeat: true }])
  const source = join(account.home, 'source')
  await rename(account.project, source)
  await mkdir(account.project)
  await troupe('job', 'create', 'demo', '--source', source, '--objective', 'Make it', '--worker-model', model, '--activate')
  const moved = join(account.home, 'elsewhere')
  await rename(source, moved)

  const refused = [await troupe('job', 'step', 'demo'), await troupe('job', 'preview', 'demo'), await troupe('job', 'diff', 'demo')]
  const looked = await troupe('job', 'status', 'demo')
  const wrong = await troupe('job', 'config', 'demo', '--source', account.project)
  await troupe('job', 'config', 'demo', '--source', moved)
  const after = await troupe('job', 'step', 'demo')

  for (const { code, stderr } of refused)
    assert.match(`${code} ${stderr}`, /^42 [^]*no longer at \S+source; say where it is now\. Try: troupe job config demo --source PATH/)
  assert.equal(looked.code, 0)
  assert.match(`${wrong.code} ${wrong.stderr}`, /^42 troupe: \S+ is not inside a git repository/)
  assert.match(after.stdout, /demo {2}REVIEW_REQUIRED/)
})

test('[J30] a manifest edited by hand changes nothing, is kept, and its owner is told in one line where settings are changed', async (t) => {
  const { troupe } = await openShell(t, { 'a.txt': 'one\n' })
  const made = await troupe('job', 'create', 'demo', '--objective', 'Make it', '--activate', '--json')
  const { directory } = JSON.parse(made.stdout)
  const manifest = join(directory, 'job_manifest.json')
  await writeFile(manifest, (await readFile(manifest, 'utf8')).replace('"max_iterations": 50', '"max_iterations": 5000'))

  const { code, stderr } = await troupe('job', 'suspend', 'demo')

  assert.equal(code, 0)
  assert.match(
    stderr,
    /^troupe: \S+job_manifest\.json was edited by hand; it is kept as \S+\. Change the settings of the job itself instead\n$/,
  )
  assert.equal(JSON.parse(await readFile(manifest, 'utf8')).limits.max_iterations, 50)
  const kept = (await readdir(directory)).find((name) => name.includes('.edited-')) ?? assert.fail('it was not kept')
  assert.match(await readFile(join(directory, kept), 'utf8'), /"max_iterations": 5000/)
})

test('[J51] an outside agent that floods, says bytes that are no UTF-8 and leaves thousands of files is judged by its command; prompts and record stay readable', async (t) => {
  const { account, troupe } = await openShell(t, { 'a.txt': 'one\n' })
  const flood = `mkdir many; for n in $(seq 3000); do echo $n > many/file-$n.txt; done; echo made > made.txt
    head -c 5000000 /dev/zero | tr '\\0' 'x'; printf 'Fait: \\377\\376\\303('; echo '${command}'`
  const agents = { floods: { command: '/bin/sh', args: ['-c', flood] } }
  await account.write('.config/troupe/config.yaml', JSON.stringify({ agents }))
  const made = await troupe('job', 'create', 'demo', '--objective', 'Make it', '--worker-model', 'agent/floods', '--activate', '--json')
  const history = join(JSON.parse(made.stdout).directory, 'jobHistory.json')

  const worked = await troupe('job', 'step', 'demo')
  const preview = await troupe('job', 'preview', 'demo')
  const told = await troupe('job', 'history', 'demo')

  assert.match(worked.stdout, /demo {2}REVIEW_REQUIRED/)
  const { interactions } = JobHistory.parse(JSON.parse(await readFile(history, 'utf8')))
  assert.match(interactions[0]?.response.raw_response ?? '', /bytes cut[^]*Fait: \ufffd+\(\{"action"/)
  assert.ok((await stat(history)).size < 5_000_000)
  assert.match(preview.stdout, /- made\.txt: changed \(added, \+1 -0\)[^]*many\/file-1\.txt[^]*cut/)
  assert.ok(preview.stdout.length < 150_000, `${preview.stdout.length} characters`)
  assert.match(told.stdout, /✔ made\.txt: changed[^]*! many\/\S+: changed, not named\n {3}! and 2980 more files\n$/)
})
