import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Activity } from '@interview-room/composer/activity.ts'
import type { Deps } from '../../../platform/ports/deps.ts'
import { putExpected } from '../../../platform/storage/unclaimed-object.ts'

/** The folder that `scripts/sample-interview.ts` fills. */
const FOLDER = path.resolve(import.meta.dirname, '../../../../sample-interview')

type Speaker = 'moderator' | 'panelist'

/** Times of the sample interview. */
export interface SampleFacts {
  durationSec: number
  /** The recorded times, in seconds from the first entry. */
  segments: { fromSec: number; toSec: number }[]
  /** Names of moments, in seconds of the file. */
  moments: Record<string, number>
  /** Ranges of the clips, in seconds of the file. */
  clips: { startSec: number; endSec: number }[]
  activities: Record<Speaker, Omit<Activity, 'identity'>>
}

export async function readFacts(): Promise<SampleFacts> {
  return JSON.parse(await readFile(fileOf('interview.json'), 'utf8')) as SampleFacts
}

export const fileOf = (name: string) => path.join(FOLDER, name)

/** Stores a file of the sample, which must be claimed. */
export async function storeFile(
  deps: Pick<Deps, 'db' | 'clock' | 'storage'>,
  { name, key, mime }: { name: string; key: string; mime: string },
): Promise<{ storageKey: string; sizeBytes: number }> {
  const { size: expectedBytes } = await stat(fileOf(name))
  const body = createReadStream(fileOf(name))
  const { sizeBytes } = await putExpected(deps, key, { body, mime, expectedBytes })
  return { storageKey: key, sizeBytes }
}
