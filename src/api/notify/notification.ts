import { basename } from 'node:path'
import type { Need } from '../../domain/need.ts'
import { shorten } from '../../domain/text/format.ts'
import { maskedRecord } from '../../domain/text/mask.ts'
import type { Driver } from '../../store/driver.ts'
import { boards, chats, jobs } from '../../store/tables.ts'

/** What a person is told about one thing that waits. */
export interface Notification {
  id: string
  kind: Need['kind']
  severity: Need['severity']
  title: string
  /** The chat, task, job or workflow it is about. */
  where: string
  /** The name of the folder of the project; null for a workflow. */
  project: string | null
  link: string
  at: string
}

const TITLE_CHARS = 200
const WHERE_CHARS = 120

/** Masked before it is cut: the beginning of a secret is masked by nobody. */
export async function notificationOf(driver: Driver, need: Need, page: string, secrets: readonly string[]): Promise<Notification> {
  const { id, kind, severity, title, detail, link, at } = maskedRecord(need, secrets)
  const folder = maskedRecord(await folderOf(driver, need.link), secrets)
  return {
    id,
    kind,
    severity,
    title: shorten(title, TITLE_CHARS),
    where: shorten(detail, WHERE_CHARS),
    project: folder === null ? null : shorten(basename(folder), WHERE_CHARS),
    link: page + link,
    at,
  }
}

async function folderOf(driver: Driver, link: string): Promise<string | null> {
  const [, area, id = ''] = link.split('/')
  if (area === 'chat') return (await chats.find(driver, id))?.item.workspace ?? null
  if (area === 'board') return (await boards.find(driver, id))?.item.root ?? null
  if (area === 'jobs') return (await jobs.find(driver, id))?.item.git_source_repo ?? null
  return null
}
