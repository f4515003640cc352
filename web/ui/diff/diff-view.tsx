import { lazy, Suspense, type ComponentType } from 'react'
import { CodeBlock } from '../text/code-block.tsx'
import { EmptyState } from '../status/notice.tsx'
import { SkeletonRows } from '../status/skeleton.tsx'
import type { DiffFilesProps } from './diff-files.tsx'

interface PatchProps {
  path: string
  patch: string
}

/** A server that is away gives no colours; the patch itself is there. */
const Files = lazy<ComponentType<DiffFilesProps>>(() =>
  import('./diff-files.tsx').then(
    ({ DiffFiles }) => ({ default: DiffFiles }),
    () => ({ default: NotLoaded }),
  ),
)
const Patch = lazy<ComponentType<PatchProps>>(() =>
  import('./patch.tsx').then(
    (loaded) => ({ default: loaded.Patch }),
    () => ({ default: Plain }),
  ),
)

/** Every diff of the page: many files with their list, or one. Loaded when the first is looked at. */
export function DiffView(props: DiffFilesProps) {
  return (
    <Suspense fallback={<SkeletonRows label="Loading the changes" />}>
      <Files {...props} />
    </Suspense>
  )
}

/** The same for a patch on its own. */
export function PatchView(props: PatchProps) {
  return (
    <Suspense fallback={<Plain {...props} />}>
      <Patch {...props} />
    </Suspense>
  )
}

function Plain({ path, patch }: PatchProps) {
  return <CodeBlock label={path} text={patch} />
}

function NotLoaded() {
  return <EmptyState title="The changes could not be loaded">Reload the page once Troupe responds.</EmptyState>
}
