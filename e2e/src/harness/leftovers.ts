import { readdirSync } from 'node:fs'
import path from 'node:path'
import { mediaApiToken, mediaUrl } from './provider.ts'
import { withServiceDb } from './service-db.ts'
import type { Service } from './service.ts'
import { SOON_MS } from './wait.ts'

/** The working folder of an embedded media server's egresses, below the service's data. */
const EGRESS_FOLDER = 'media/egress'
/** Kept for a day: the info of ended egresses, and the captures of failed ones. */
const KEPT = new Set(['ended', 'failed', 'owner.sock'])

/** Leftovers of recordings. There must be none once nobody is recorded any more. */
export interface Leftovers {
  activeEgresses: unknown[]
  egressFolders: string[]
  /** Segments without an end, or that belong to no recording. */
  segments: readonly object[]
  recordings: readonly object[]
  /** Jobs that make files. Other jobs may wait for the lease of a dead process to end. */
  jobs: readonly object[]
}

export const NOTHING_LEFT: Leftovers = {
  activeEgresses: [],
  egressFolders: [],
  segments: [],
  recordings: [],
  jobs: [],
}

export async function leftoversOf(service: Service): Promise<Leftovers> {
  const { dataDir } = service
  return withServiceDb(dataDir, async (db) => {
    const list = async (...statement: Parameters<typeof db<object[]>>) => [
      ...(await db<object[]>(...statement)),
    ]
    return {
      activeEgresses: await listActiveEgresses(service),
      egressFolders: egressFolders(dataDir),
      segments: await list`
        select id, status, recording_id from recording_segments
         where status not in ('complete', 'failed', 'aborted') or recording_id is null
      `,
      recordings: await list`
        select id, status from recordings
         where status not in ('available', 'failed')
      `,
      jobs: await list`
        select kind, key, state, last_error from jobs
         where kind in ('finish-recording', 'join-recording', 'trim-processed-recording', 'make-clip')
      `,
    }
  })
}

/** Prefixes of the keys of lost segments' files, which stay until their recordings are deleted. */
export async function listKeysBeside({ dataDir }: Service): Promise<string[]> {
  return withServiceDb(dataDir, async (db) => {
    const rows = await db<{ key: string }[]>`
      select storage_key as key from recording_segments where status in ('failed', 'aborted')
       union
      select storage_key from recording_voices
    `
    return rows.map(({ key }) => key)
  })
}

/** One folder for each egress that has not ended. */
export function egressFolders(dataDir: string): string[] {
  return readdirSync(path.join(dataDir, EGRESS_FOLDER)).filter((name) => !KEPT.has(name))
}

/** All files below a folder; none if the folder does not exist. */
export function filesBelow(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name))
  } catch {
    return []
  }
}

async function listActiveEgresses(service: Service): Promise<unknown[]> {
  const token = await mediaApiToken(service.dataDir, { roomRecord: true })
  const answer = await fetch(`${mediaUrl(service)}/twirp/livekit.Egress/ListEgress`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ active: true }),
    signal: AbortSignal.timeout(SOON_MS),
  })
  if (!answer.ok) throw new Error(`ListEgress was answered ${answer.status}`)
  return ((await answer.json()) as { items?: unknown[] }).items ?? []
}
