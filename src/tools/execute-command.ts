import { existsSync } from 'node:fs'
import { normalize, relative } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod'
import { canBeMounted } from '../domain/bounds.ts'
import { changePermissions, missingPermissions } from '../domain/permission.ts'
import { withoutTerminalCodes } from '../domain/text/terminal-codes.ts'
import { definedOnly } from '../domain/text/unknown-value.ts'
import { proveUnchanged, type Proof } from '../sandbox/prove-unchanged.ts'
import { isInside } from '../sandbox/files/inside.ts'
import { secretsWithin } from '../sandbox/files/secrets-within.ts'
import { runCommand } from '../sandbox/run-command.ts'
import type { Command, CommandResult, WorkspaceAccess } from '../sandbox/sandbox.ts'
import { defineTool } from './gate.ts'
import { reachOf, refusalLines } from './network-reach.ts'
import type { CallContext, ToolAnswer, ToolContext } from './tool.ts'
import { backgroundOf, endings, lookAnswer } from './background/answer.ts'
import { keptFrom, keptFromLines, type KeptFrom } from './why-failed.ts'

const OUTPUT_BYTES = 60_000
const SECONDS = 300
const BACKGROUND_SECONDS = 3_600
/** One that fails at once says so in the answer to its start. */
const FIRST_MS = 1_000
const SHELLS = ['/bin/bash', '/bin/sh']

const BackgroundName = z.string().regex(/^[\w.-]{1,40}$/, 'must be a short name of letters, digits, "." , "-" or "_", such as "dev-server"')

/** Runs a shell command in the sandbox. What it may do to the workspace follows from the role, never from the command's text. */
export const executeCommandTool = defineTool({
  name: 'execute_command',
  description: 'Run a command in a fresh shell, for 300 seconds unless told. background: keep it running under this name.',
  required_permissions: ['read_files', 'execute_commands'],
  input: z.strictObject({
    command: z.string().min(1).max(50_000),
    cwd: z.string().min(1).default('.'),
    timeout_seconds: z.int().min(1).max(3_600).optional(),
    background: BackgroundName.optional(),
  }),
  paths: ({ cwd }) => [cwd],
  commandOf: ({ command, cwd }) => ({ command, inRoot: normalize(cwd) === '.' }),
  changes: 'workspace',
  preview: async ({ command, background }, context) => ({ command, access: accessOf(context), ...definedOnly({ background }) }),
  run: async ({ command, cwd, timeout_seconds, background }, context) => {
    const access = accessOf(context)
    const reach = await reachOf(context)
    const seconds = timeout_seconds ?? (background === undefined ? SECONDS : BACKGROUND_SECONDS)
    const started: Command = {
      ...commandFor(context, command),
      ...reach.network,
      access,
      cwd: context.place(cwd),
      timeoutMs: seconds * 1_000,
    }
    if (background !== undefined) return startInBackground(context, background, command, started)
    const prove = access === 'change' ? null : await proveUnchanged(context.root)
    const { onOutput, call_id } = context
    const heard = onOutput && { onOutput: (chunk: string) => onOutput(chunk, call_id) }
    const result = await runCommand({ ...started, ...heard }, context.sandbox)
    const hidden = result.exit_code === 0 ? [] : hiddenSecrets(context)
    const kept = result.exit_code === 0 || context.sandbox.kind === 'none' ? null : keptFrom(result, reach.network.network)
    return reach.asked(
      command,
      result,
      answer(
        result,
        context.root,
        kept,
        { command, access, ...(hidden.length > 0 && { hidden }), ...(kept && isKept(kept) && { kept_from: kept }) },
        (await prove?.()) ?? null,
      ),
    )
  },
})

/** Starts a command that goes on when the call has been answered. What it changes is kept until it has ended. */
async function startInBackground(context: ToolContext, name: string, line: string, command: Command): Promise<ToolAnswer> {
  const { signal: _, ...lasting } = command // the run ends it, not the call
  const started = backgroundOf(context).start(name, line, (heard) => runCommand({ ...lasting, ...heard }, context.sandbox))
  await Promise.race([started.over(), sleep(FIRST_MS, undefined, { signal: context.signal, ref: false }).catch(() => undefined)])
  const isOver = started.ended() !== null
  return {
    ...(await lookAnswer(context, name, started)),
    ...(!isOver && { whenOver: (finish: () => Promise<string>) => started.whenOver(finish) }),
  }
}

/** A shell cannot be held to "create only", so it gets the workspace itself only with all three; else a layer that is thrown away. So it is where mounts cannot hold it to the paths of its role. */
function accessOf({ permissions, bounds }: Pick<CallContext, 'permissions' | 'bounds'>): WorkspaceAccess {
  const all = missingPermissions(permissions, changePermissions).length === 0
  return all && canBeMounted(bounds.write_paths) ? 'change' : 'throw_away'
}

/** Has the sandbox of the next command built before anyone knows what it will be. */
export async function prepareCommand(context: CallContext): Promise<void> {
  await context.prepared?.prepare({ ...commandFor(context, ''), access: accessOf(context) })
}

function commandFor(context: CallContext, command: string): Omit<Command, 'access'> {
  const { root, bounds, commands, signal, prepared, skillFolders = [] } = context
  const beyond = skillFolders.filter((folder) => !isInside(root, folder))
  return {
    argv: [SHELLS.find((shell) => existsSync(shell)) ?? 'sh', '-c', command],
    root,
    bounds,
    ...commands,
    ...(beyond.length > 0 && { mounts: beyond.map((path) => ({ path, access: 'read' as const })) }),
    outputBytes: OUTPUT_BYTES,
    signal,
    ...definedOnly({ prepared }),
  }
}

const HIDDEN_SHOWN = 10

/** What a command that failed may have missed. */
function hiddenSecrets({ root, commands, sandbox }: CallContext): string[] {
  return sandbox.kind === 'none'
    ? []
    : secretsWithin(root, commands.allowedSecrets)
        .map((path) => relative(root, path))
        .slice(0, HIDDEN_SHOWN)
}

function hiddenLines(hidden: unknown): string[] {
  return Array.isArray(hidden) ? [`hidden from commands: ${hidden.join(', ')} (only the user can show it, under allowed_secrets)`] : []
}

function isKept({ hosts, paths }: KeptFrom): boolean {
  return hosts.length + paths.length > 0
}

function answer(
  result: CommandResult,
  root: string,
  kept: KeptFrom | null,
  details: Record<string, unknown>,
  proof: Proof | null,
): ToolAnswer {
  const { exit_code, ended, stdout, stderr, cut_bytes, took_ms, prepared, refused = [] } = result
  const how = ended === 'exited' ? `exit code ${exit_code}` : endings[ended]
  const disturbed = proof !== null && !proof.unchanged
  const parts = [
    ...(disturbed
      ? [`the workspace changed while this command ran, so its result may not be about what is there now: ${proof.changed.join(', ')}`]
      : []),
    how,
    stdout.trimEnd(),
    ...(stderr.trim() === '' ? [] : [`stderr:\n${stderr.trimEnd()}`]),
    ...refusalLines(refused),
    ...(kept === null ? [] : keptFromLines(kept, root)),
    ...hiddenLines(details['hidden']),
  ]
  return {
    output: withoutTerminalCodes(parts.filter((part) => part !== '').join('\n')),
    details: {
      ...details,
      exit_code,
      ended,
      cut_bytes,
      took_ms: Math.round(took_ms),
      ...(prepared && { prepared }),
      ...(proof && { proof }),
      ...(refused.length > 0 && { refused }),
    },
    failed: disturbed || ended !== 'exited' || exit_code !== 0,
  }
}
