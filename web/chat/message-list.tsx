import { useEffect, useCallback, useLayoutEffect, useRef, type RefObject } from 'react'
import type { ChatView } from './chat-view.ts'
import { Button } from '../ui/form/button.tsx'
import { EmptyState } from '../ui/status/notice.tsx'
import { Draft } from '../trace/draft.tsx'
import { foldedCalls, type Line } from '../trace/folded-calls.ts'
import { JumpToQuestion } from './jump-to-question.tsx'
import { Message } from './message.tsx'
import { useUnsent } from './unsent.ts'
import { isQueued, QueuedText, UnsentText } from './waiting-text.tsx'

/** The messages of a chat. The browser skips drawing what is out of sight, so a thousand messages scroll like ten. */
export function MessageList({ chat, onEarlier }: { chat: ChatView; onEarlier: () => void }) {
  const { scroller, follow } = useReadAlong()
  const holdStill = useSteadyView(scroller, chat.messages[0]?.id)
  const read = chat.messages.filter((message) => !isQueued(message))
  const { unsent, retry, discard } = useUnsent(chat)
  const newest = unsent.at(-1)?.id
  useEffect(() => {
    if (newest !== undefined) follow() // whoever says something looks at the end
  }, [newest, follow])
  const showEarlier = () => {
    holdStill()
    onEarlier()
  }
  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      <div ref={scroller} tabIndex={0} role="log" aria-label="Messages" className="min-h-0 flex-1 overflow-y-auto [overflow-anchor:auto]">
        <div className="mx-auto flex max-w-3xl flex-col gap-4 px-3 pt-4 pb-6 sm:px-5">
          {chat.earlier && (
            <Button small className="self-center" onClick={showEarlier}>
              Show earlier messages
            </Button>
          )}
          {chat.messages.length === 0 && unsent.length === 0 && !chat.running && <NothingSaid />}
          <Blocks chat={chat} lines={foldedCalls(read)} />
          {/* A new one below each stored message: one and the same would jump past it. */}
          {chat.running && (
            <Draft key={read.at(-1)?.id} runId={chat.run?.id} role={chat.run?.agent_role ?? chat.agent_role} messages={chat.messages} />
          )}
          {chat.messages.filter(isQueued).map((message) => (
            <QueuedText key={message.id} chat={chat} message={message} />
          ))}
          {unsent.map((message) => (
            <UnsentText key={message.id} chatId={chat.id} message={message} retry={retry} discard={discard} />
          ))}
        </div>
      </div>
      <JumpToQuestion scroller={scroller} chat={chat} />
    </div>
  )
}

function NothingSaid() {
  return (
    <EmptyState title="Say what you want done">
      The role above decides what may happen. Nothing changes until you approve a plan or switch to a role that makes changes.
    </EmptyState>
  )
}

function Blocks({ chat, lines }: { chat: ChatView; lines: readonly Line[] }) {
  return blocksOf(lines).map((block) => (
    <div key={block.key} className="flex flex-col gap-4 [contain-intrinsic-size:auto_60rem] [content-visibility:auto]">
      {block.lines.map(({ message, result }) => (
        <div key={message.id} data-message>
          <Message chat={chat} message={message} result={result} />
        </div>
      ))}
    </div>
  ))
}

/** How many lines the browser draws or skips together: one by one, the skipping itself would cost more than the drawing. */
const BLOCK_LINES = 20

/** Lines in blocks by their number in the thread, so that a block stays the same while others are added before or after it. */
function blocksOf(lines: readonly Line[]): { key: number; lines: Line[] }[] {
  const blocks = Map.groupBy(lines, ({ message }) => Math.floor(message.number / BLOCK_LINES))
  return [...blocks].map(([key, held]) => ({ key, lines: held }))
}

/** How near the end counts as reading along; further up, new messages must not move what is being read. */
const NEAR_END_PX = 120

/** Keeps the end in sight while the reader is there; what grows (a card, an answer being written) then pushes upwards. */
function useReadAlong() {
  const scroller = useRef<HTMLDivElement>(null)
  const follows = useRef(true)
  const toEnd = useCallback(() => {
    const box = scroller.current
    if (box && follows.current) box.scrollTop = box.scrollHeight
  }, [])
  const follow = useCallback(() => {
    follows.current = true
    toEnd()
  }, [toEnd])
  useEffect(() => {
    const box = scroller.current
    const content = box?.firstElementChild
    if (!box || !content) return
    let last = 0
    const onScroll = () => {
      // Only a reader who scrolls up stops following; a card and a taller text box that arrive together also move the end away.
      if (box.scrollHeight - box.scrollTop - box.clientHeight < NEAR_END_PX) follows.current = true
      else if (box.scrollTop < last) follows.current = false
      last = box.scrollTop
    }
    const growing = new ResizeObserver(toEnd)
    growing.observe(content)
    growing.observe(box) // a taller text box below takes room from it
    box.addEventListener('scroll', onScroll, { passive: true })
    return () => {
      growing.disconnect()
      box.removeEventListener('scroll', onScroll)
    }
  }, [toEnd])
  return { scroller, follow }
}

/** Messages that come in above take their real height only when the browser has drawn them; until then the view is set right again. */
const STEADY_FRAMES = 12

/** Earlier messages come in above what is being read; without this the reader would be thrown to their beginning. */
function useSteadyView(scroller: RefObject<HTMLDivElement | null>, firstId: string | undefined): () => void {
  const held = useRef<{ message: Element; top: number } | null>(null)
  useLayoutEffect(() => {
    const box = scroller.current
    if (!box || held.current === null) return
    keepInPlace(box, held.current, STEADY_FRAMES)
    held.current = null
  }, [scroller, firstId])
  return () => {
    const box = scroller.current
    const message = box && firstInSight(box)
    if (!message) return
    held.current = { message, top: message.getBoundingClientRect().top }
    box.style.setProperty('overflow-anchor', 'none') // the browser corrects only sometimes; one of us must do it alone
  }
}

function keepInPlace(box: HTMLElement, held: { message: Element; top: number }, frames: number): void {
  box.scrollTop += held.message.getBoundingClientRect().top - held.top
  if (frames === 0) box.style.removeProperty('overflow-anchor')
  else requestAnimationFrame(() => keepInPlace(box, held, frames - 1))
}

function firstInSight(box: HTMLElement): Element | undefined {
  const { top } = box.getBoundingClientRect()
  return [...box.querySelectorAll('[data-message]')].find((message) => message.getBoundingClientRect().bottom > top)
}
