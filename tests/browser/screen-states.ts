import type { MainState } from './main-states.ts'
import { setJobs } from './set-jobs.ts'
import { setTheScene } from './set-scene.ts'

const board = async (page: Parameters<MainState['see']>[0], tab: string) => {
  await page.getByRole('tab', { name: tab }).click()
  await page.getByRole('tabpanel').waitFor()
}

/** The other screens: looked at in pictures, beside the main states. */
export const screenStates: readonly MainState[] = [
  ...['Agents', 'Dependencies', 'Sprint', 'Log', 'Alarms'].map((tab) => ({
    name: `board-${tab.toLowerCase()}`,
    path: '/board',
    replies: [],
    set: setTheScene,
    see: async (page: Parameters<MainState['see']>[0]) => board(page, tab),
  })),
  {
    name: 'jobs',
    path: '/jobs',
    replies: [],
    set: async (troupe) => void (await setJobs(troupe)),
    see: async (page) => page.getByRole('link', { name: /paging/ }).waitFor(),
  },
  { name: 'new-job', path: '/jobs/new', replies: [], see: async (page) => page.getByRole('form').waitFor() },
  { name: 'new-board', path: '/board/new', replies: [], see: async (page) => page.getByRole('form').waitFor() },
  { name: 'workflows', path: '/workflows', replies: [], see: async (page) => page.getByRole('heading', { level: 1 }).waitFor() },
]
