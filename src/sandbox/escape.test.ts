import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { createServer } from 'node:net'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { treeOf } from '../../tests/tree.ts'
import { git } from './git/git.ts'
import type { Command, WorkspaceAccess } from './sandbox.ts'
import { actorsHere, kindsHere } from './test-actor.ts'
import { assertNone } from './test-none.ts'
import { listenHere, setVariables } from './test-surroundings.ts'
import { testWorkspace, visiblePlace } from './test-workspace.ts'

/** Ways to write where one may not. OUT is a folder beside the workspace; each prints ESCAPED where it can tell that it did, and tidies up.
 * The last one kills whatever it may, its own shell included. */
const attacks: Readonly<Record<string, string>> = {
  redirect: 'echo bad > "$OUT/a"; echo bad >> "$OUT/kept"; echo bad > /etc/troupe-a && echo ESCAPED && rm /etc/troupe-a',
  heredoc: 'cat > "$OUT/b" <<END\nbad\nEND',
  python: `python3 -c "import os; open(os.environ['OUT'] + '/c', 'w').write('bad')"`,
  perl: `perl -e 'open(F, ">", "$ENV{OUT}/d"); print F "bad"'`,
  node: `"$NODE" -e "require('fs').writeFileSync(process.env.OUT + '/e', 'bad')"`,
  'link out': 'ln -s "$OUT" /tmp/way; echo bad > /tmp/way/f; ln "$OUT/kept" /tmp/hard && echo bad >> /tmp/hard',
  'dots out': 'echo bad > ../outside/g; cd ..; touch h',
  'delete and move': 'rm -rf "$OUT"; mv "$OUT" /tmp/gone; chmod 777 "$OUT/kept"; truncate -s 0 "$OUT/kept"',
  'system folders': 'for place in /usr/bin /var/lib /opt /; do touch $place/troupe-b && echo ESCAPED && rm $place/troupe-b; done',
  'the home': 'echo bad >> "$REALHOME/.bashrc"; touch "$REALHOME/troupe-c"',
  remount:
    'mount -o remount,rw / || mount -o remount,bind,rw / || mount -o remount,bind,rw "$OUT" || umount -l "$OUT" && echo ESCAPED; umount -l /tmp /run /home && echo ESCAPED',
  'bind over': 'mount --bind "$OUT" /tmp && echo ESCAPED; mount -t tmpfs none /etc && echo ESCAPED',
  'a namespace of its own': `unshare -Urm sh -c 'mount -o remount,bind,rw /; echo bad > "$OUT/i"' && echo ESCAPED; unshare -Ur true && echo ESCAPED`,
  'through the first process':
    'echo bad > "/proc/1/root$OUT/j" ; echo bad > "/proc/1/cwd/../outside/k"; cat "/proc/1/root$STORE/token" && echo ESCAPED; ' +
    'seen=$(ls -d /proc/1/root/home/*/* | sed "s,^/proc/1/root,,"); test "$seen" && test "$seen" != "$(ls -d /home/*/*)" && echo ESCAPED',
  'kernel settings':
    'v=$(cat /proc/sys/vm/swappiness) && echo "$v" > /proc/sys/vm/swappiness && echo ESCAPED; echo h > /proc/sysrq-trigger && echo ESCAPED',
  'control groups': 'for group in /sys/fs/cgroup /sys/fs/cgroup/*; do mkdir $group/troupe-d && echo ESCAPED && rmdir $group/troupe-d; done',
  devices: 'mknod /tmp/disk b 8 0 && echo ESCAPED; ls /dev | grep -E "^(sd|vd|nvme|mem|kmsg|kvm)" && echo ESCAPED',
  privileges:
    'grep -E "Cap(Eff|Prm|Amb):.*[1-9a-f]" /proc/self/status && echo ESCAPED; grep "NoNewPrivs:.*0" /proc/self/status && echo ESCAPED',
  'the network': `"$NODE" -e "require('net').connect(+process.env.PORT, '127.0.0.1').on('connect', () => console.log('ESCAPED')).on('error', () => {})"`,
  'secrets of the machine':
    'grep -q . /etc/shadow && echo ESCAPED; cat "$STORE/token" && echo ESCAPED; ls /run/* "$REALHOME/.ssh" && echo ESCAPED',
  'our environment': 'env | grep SECRET_TEST && echo ESCAPED; tr "\\0" "\\n" < /proc/1/environ | grep SECRET_TEST && echo ESCAPED',
  'other people':
    'kill -9 "$VICTIM" && echo ESCAPED; kill -9 -1; test -d "/proc/$VICTIM" && grep -q sleep "/proc/$VICTIM/cmdline" && echo ESCAPED',
}

for (const kind of await kindsHere()) {
  for (const actor of actorsHere()) {
    for (const access of ['read', 'throw_away', 'change'] satisfies WorkspaceAccess[]) {
      test(`[S3, S4, S5, S7, S9, S10, S11, S14, S40] no trick of ${actor.name} gets out of ${kind} with access ${access}, at the first, second and hundredth command`, async (t) => {
        const stage = await setStage(t)
        actor.own(stage.folder)
        const before = await treeOf(stage.folder)
        const script = Object.entries(attacks).map(([name, attack]) => `echo "== ${name}"; (\n${attack}\n); echo "== end"`)
        const command: Command = { argv: ['sh', '-c', script.join('\n')], root: stage.root, access, env: stage.env }
        const harmless: Command[] = Array.from({ length: 97 }, () => ({ ...command, argv: ['true'] }))

        const results = await actor.run(kind, [command, command, ...harmless, command])

        for (const result of [results[0], results[1], results[99]]) {
          const answers = new Map(result?.stdout.split('== ').map((part) => [part.split('\n')[0], part] as const))
          assertNone(Object.keys(attacks), (name) => answers.get(name)?.includes('ESCAPED') !== false)
        }
        assert.ok(results.filter(({ prepared }) => prepared === 'used').length > 50) // else the machine changed around a few of them
        assert.deepEqual(await treeOf(stage.folder), before)
        assert.equal(stage.victim.exitCode, null)
        assert.equal(stage.victim.signalCode, null)
      })
    }
  }
}

/** A workspace in a repository, a neighbour, a store, a running process and a server: everything an attack may aim at. */
async function setStage(t: TestContext) {
  const folder = await testWorkspace(
    t,
    { 'root/kept': 'text', 'outside/kept': 'text', 'store/token': 'token', 'store/deep/file': 'text' },
    visiblePlace,
  )
  const root = join(folder, 'root')
  await git(root, ['init', '-q'])
  for (const name of ['modules', 'worktrees']) await mkdir(join(root, '.git', name)) // else made before a command, to be covered
  const victim = spawn('sleep', ['600'])
  t.after(() => victim.kill('SIGKILL'))
  const server = createServer((socket) => socket.end())
  const port = await listenHere(t, server)
  setVariables(t, { TROUPE_HOME: join(folder, 'store'), SECRET_TEST_API_KEY: 'sk-secret' })
  const env = {
    OUT: join(folder, 'outside'),
    STORE: join(folder, 'store'),
    REALHOME: homedir(),
    NODE: process.execPath,
    VICTIM: String(victim.pid),
    PORT: String(port),
  }
  return { folder, root, victim, env }
}
