import { createHash } from 'node:crypto'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { main, root, run } from './steps.mjs'

/** Compilers by the architecture Node calls so. Debian: gcc, gcc-aarch64-linux-gnu. */
const compilers = { x64: 'x86_64-linux-gnu-gcc', arm64: 'aarch64-linux-gnu-gcc' }

/** Without a C library and without what would differ from one build to the next. */
const flags =
  '-std=c11 -Os -Wall -Wextra -Werror -static -nostdlib -ffreestanding -fno-builtin -fno-stack-protector -fno-pie -no-pie -fno-asynchronous-unwind-tables -fno-ident -mno-outline-atomics -Wl,--build-id=none -Wl,-z,norelro -Wl,-z,noseparate-code -Wl,-z,noexecstack -Wl,--strip-all'

/** Builds the programs in native/ for every architecture, and notes from which source: `tests/native.test.ts` sees that both belong together. */
await main(async () => {
  const built = {}
  for (const name of ['confine', 'test-detach']) {
    const source = join(root, 'native', `${name}.c`)
    built[`${name}.c`] = sha256(source)
    for (const [arch, compiler] of Object.entries(compilers)) {
      const program = `linux-${arch}/${name}`
      mkdirSync(join(root, 'native', `linux-${arch}`), { recursive: true })
      const own = flags.split(' ').filter((flag) => arch === 'arm64' || flag !== '-mno-outline-atomics')
      await run(compiler, [...own, '-o', join(root, 'native', program), source])
      chmodSync(join(root, 'native', program), 0o755)
      built[program] = sha256(join(root, 'native', program))
    }
  }
  writeFileSync(join(root, 'native/built.json'), `${JSON.stringify(built, null, 2)}\n`)
})

function sha256(file) {
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}
