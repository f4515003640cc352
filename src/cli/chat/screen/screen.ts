import {
  Container,
  Editor,
  matchesKey,
  ProcessTerminal,
  setCapabilities,
  TuiMainScreen,
  type AutocompleteProvider,
  type Component,
  type TUI,
} from '@earendil-works/pi-tui'
import { textBlock } from './blocks.ts'
import { statusLine, waitingLine, type Status } from './status.ts'
import { editorTheme, markdownTheme } from './theme.ts'

const TICK_MS = 120
/** How long the first of two presses counts. */
const TWICE_MS = 2_000

/** What a person does with the keyboard. */
export interface Keys {
  submit(text: string): void
  isAtWork(): boolean
  stop(): void
  flip(): void
  leave(): void
}

/** A chat drawn on a terminal: what was said above, the box to write in at the foot. */
export interface Screen {
  status: Status
  add(block: Component): void
  tell(text: string): void
  draw(): void
  complete(provider: AutocompleteProvider): void
  remember(lines: readonly string[]): void
  close(): void
}

/** Takes over the terminal until it is closed; what was in it before stays above. */
export function openScreen(keys: Keys): Screen {
  // What a model names a link could hide where it leads, so addresses are written out; pictures are not drawn.
  setCapabilities({ images: null, trueColor: false, hyperlinks: false })
  const status: Status = { chat: null, model: '', awaited: null, since: 0, hint: '' }
  const terminal = keepingScrollback(new ProcessTerminal())
  const tui = new TuiMainScreen(terminal, true)
  const thread = new Container()
  const editor = new Editor(tui, editorTheme, { autocompleteMaxVisible: 8 })
  const foot = [waitingLine(status, () => performance.now()), editor, statusLine(status)]
  for (const part of [thread, ...foot]) tui.addChild(part)
  tui.setFocus(editor)
  editor.onSubmit = (text) => {
    if (text === '') return
    editor.addToHistory(text)
    keys.submit(text)
  }
  tui.addInputListener((data) => handleKey(data, { keys, editor, status, tui }))
  const resized = () => prune(thread, terminal.columns, terminal.rows)
  process.stdout.prependListener('resize', resized)
  const ticking = setInterval(() => status.awaited !== null && tui.requestRender(), TICK_MS)
  let isOpen = true
  const close = () => {
    if (!isOpen) return
    isOpen = false
    clearInterval(ticking)
    process.stdout.off('resize', resized)
    process.off('exit', close)
    for (const part of foot) tui.removeChild(part) // above the shell's next line only what was said stays
    tui.renderNow()
    tui.stop()
  }
  process.on('exit', close) // however we end, the terminal is left as it was
  tui.start()
  void loadColours(tui)
  const add = (block: Component) => {
    thread.addChild(block)
    tui.requestRender()
  }
  return {
    status,
    add,
    tell: (text) => add(textBlock(text)),
    draw: () => tui.requestRender(),
    complete: (provider) => editor.setAutocompleteProvider(provider),
    remember: (lines) => lines.forEach((line) => editor.addToHistory(line)),
    close,
  }
}

/** Code is drawn plain until its colours are loaded. */
async function loadColours(tui: TUI): Promise<void> {
  const { highlightCode } = await import('./highlight.ts')
  markdownTheme.highlightCode = highlightCode
  tui.invalidate()
}

function suspend(tui: TUI): void {
  tui.stop()
  process.once('SIGCONT', () => {
    tui.start()
    tui.requestRender(true)
  })
  process.kill(process.pid, 'SIGTSTP')
}

interface KeyContext {
  keys: Keys
  editor: Editor
  status: Status
  tui: TUI
}

/** Keys that mean something to the chat; all others are what a person writes. */
function handleKey(data: string, { keys, editor, status, tui }: KeyContext): { consume: true } | undefined {
  const again = status.hint !== ''
  status.hint = ''
  const taken = { consume: true } as const
  if (matchesKey(data, 'escape')) {
    if (editor.isShowingAutocomplete() || !keys.isAtWork()) return undefined
    keys.stop() // what is half written stays in the box
    return taken
  }
  if (matchesKey(data, 'ctrl+c')) {
    if (editor.getText() !== '') editor.setText('')
    else if (keys.isAtWork()) keys.stop()
    else if (again) keys.leave()
    else hintFor(status, 'Ctrl+C again leaves', () => tui.requestRender())
    tui.requestRender()
    return taken
  }
  if (matchesKey(data, 'ctrl+d') && editor.getText() === '') {
    keys.leave()
    return taken
  }
  if (matchesKey(data, 'ctrl+z')) {
    suspend(tui)
    return taken
  }
  if (!matchesKey(data, 'shift+tab')) return undefined
  keys.flip()
  return taken
}

function hintFor(status: Status, hint: string, draw: () => void): void {
  status.hint = hint
  setTimeout(() => {
    if (status.hint === hint) status.hint = ''
    draw()
  }, TWICE_MS).unref()
}

/** A full drawing would also erase what stands above our beginning, which is not ours. */
function keepingScrollback(terminal: ProcessTerminal): ProcessTerminal {
  const write = terminal.write.bind(terminal)
  terminal.write = (data) => write(data.replaceAll('\u001b[3J', ''))
  return terminal
}

/** At another size everything is drawn again. What has left the screen stays above as it was, or each step of a resize would repeat the chat. */
function prune(thread: Container, columns: number, rows: number): void {
  let lines = 0
  const kept = thread.children.findLastIndex((child) => (lines += child.render(columns).length) > rows)
  if (kept > 0) for (const child of thread.children.slice(0, kept)) thread.removeChild(child)
}
