import { useKeptChoice } from '../ui/kept-choice.ts'

/** The folder a person works in at the moment; null shows what belongs to any folder. */
export function useProject(): [string | null, (workspace: string | null) => void] {
  return useKeptChoice('troupe.project')
}

/** What a folder is called: its last part. */
export function projectName(workspace: string): string {
  return workspace.split('/').findLast((part) => part !== '') ?? workspace
}
