import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { KeyRound, Unplug } from 'lucide-react'
import { lazy, Suspense, useEffect, useState, type ReactNode } from 'react'
import { Redirect, Route, Switch, useLocation, useSearchParams } from 'wouter'
import { Refusal, useRead } from './api.ts'
import { followLog, useConnected } from './live.ts'
import { useAttention } from './needs/use-attention.ts'
import { KeyboardSheet } from './shell/keyboard-sheet.tsx'
import { Palette } from './shell/palette.tsx'
import { token } from './token.ts'
import { EmptyState } from './ui/status/notice.tsx'
import { SkeletonPage } from './ui/status/skeleton.tsx'
import { Page } from './ui/layout/page.tsx'
import { QuotaBanner } from './shell/quota-banner.tsx'
import { RehearsalBanner } from './shell/rehearsal-banner.tsx'
import { RUN_PARAM } from './trace/run-link.tsx'
import { screen } from './ui/layout/screen.tsx'
import { useGoKeys } from './shell/use-go-keys.ts'
import { useRememberOpened } from './shell/use-recents.ts'
import { Shell } from './shell/shell.tsx'
import { useShortcut } from './ui/use-keys.ts'

const ChatScreen = screen(() => import('./chat/chat-screen.tsx'))
const BoardScreen = screen(() => import('./board/board-screen.tsx'))
const TaskScreen = screen(() => import('./board/task/task-screen.tsx'))
const JobsScreen = screen(() => import('./jobs/jobs-screen.tsx'))
const RolesScreen = screen(() => import('./roles/roles-screen.tsx'))
const ServersScreen = screen(() => import('./outside/servers-screen.tsx'))
const WorkflowsScreen = screen(() => import('./workflows/workflows-screen.tsx'))
const RunScreen = screen(() => import('./trace/run-screen.tsx'))
const RunPeek = lazy(() =>
  import('./trace/run-peek.tsx').then(
    ({ RunPeek: found }) => ({ default: found }),
    () => ({ default: () => null }),
  ),
)
const NeedsScreen = screen(() => import('./needs/needs-screen.tsx'))

const queries = new QueryClient({
  defaultOptions: {
    queries: { staleTime: 30_000, retry: (failures, error) => failures < 2 && !(error instanceof Refusal && error.code !== 'unreachable') },
  },
})

/** The page: the frame, the places, and one connection that keeps all of them fresh. */
export function App() {
  if (token() === null) return <TokenAsked title="This page needs its token">The token stays in this browser.</TokenAsked>
  return (
    <QueryClientProvider client={queries}>
      <Frame />
    </QueryClientProvider>
  )
}

function Frame() {
  const [over, setOver] = useState<'search' | 'keys' | null>(null)
  const needs = useRead('system.list_needs', {})
  const [location, go] = useLocation()
  const [search] = useSearchParams()
  useAttention(needs.data?.needs, go)
  useEffect(() => {
    const ending = new AbortController()
    void followLog(queries, ending.signal)
    return () => ending.abort()
  }, [])
  useShortcut('search', () => setOver((now) => (now === 'search' ? null : 'search')))
  useShortcut('show_keys', () => setOver('keys'))
  useGoKeys(go)
  useRememberOpened(location)
  if (needs.error instanceof Refusal && needs.error.code === 'unauthorized') return <WrongToken />
  return (
    <Shell waiting={needs.data?.needs.length ?? 0} banner={<Banners />} onSearch={() => setOver('search')}>
      <Suspense fallback={<SkeletonPage />}>
        <Screens />
      </Suspense>
      {search.has(RUN_PARAM) && (
        <Suspense>
          <RunPeek />
        </Suspense>
      )}
      {over === 'search' && <Palette onClose={() => setOver(null)} onShowKeys={() => setOver('keys')} />}
      {over === 'keys' && <KeyboardSheet onClose={() => setOver(null)} />}
    </Shell>
  )
}

/** What holds for the whole page: no real model, no connection. */
function Banners() {
  return (
    <>
      <RehearsalBanner />
      <QuotaBanner />
      <ConnectionBanner />
    </>
  )
}

/** Says that the server is away, so that nobody takes a still picture for the present. */
function ConnectionBanner() {
  if (useConnected()) return null
  return (
    <p role="status" className="flex items-center gap-2 border-b border-line bg-danger-wash px-4 py-1.5 text-sm text-danger">
      <Unplug size={16} aria-hidden />
      Troupe is not responding. This page may be out of date; it reconnects by itself.
    </p>
  )
}

function Screens() {
  return (
    <Switch>
      <Route path="/">
        <Redirect to="/chat" replace />
      </Route>
      <Route path="/chat/:id?" component={ChatScreen} />
      <Route path="/board/:id/task/:task" component={TaskScreen} />
      <Route path="/board/:id?" component={BoardScreen} />
      <Route path="/jobs/:id?" component={JobsScreen} />
      <Route path="/workflows/*?" component={WorkflowsScreen} />
      <Route path="/roles/:id?" component={RolesScreen} />
      <Route path="/runs/:id" component={RunScreen} />
      <Route path="/mcp-servers" component={ServersScreen} />
      <Route path="/needs-you" component={NeedsScreen} />
      <Route>
        <Page title="Page not found">
          <EmptyState title="It may have been deleted, or the link is incomplete">Use the navigation, or search with Ctrl K.</EmptyState>
        </Page>
      </Route>
    </Switch>
  )
}

/** A server of another home, such as that of a demo, on the port this browser knows: nothing on the page would work. */
function WrongToken() {
  return (
    <TokenAsked title="This browser has the token of another Troupe server">
      Each Troupe home has its own token, and this server uses a different one.
    </TokenAsked>
  )
}

function TokenAsked({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="grid h-full place-items-center p-6">
      <EmptyState title={title} icon={<KeyRound size={28} aria-hidden />}>
        Open the address that <code className="font-mono">troupe serve</code> printed; it ends with{' '}
        <code className="font-mono">#token=…</code>. {children}
      </EmptyState>
    </div>
  )
}
