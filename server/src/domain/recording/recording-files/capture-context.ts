import { createWriteStream } from 'node:fs'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { CapturedPart } from '../../../platform/media-files/compose-captures.ts'
import type { Deps } from '../../../platform/ports/deps.ts'
import { listPresentations } from '../../handouts/find-presentation.ts'
import type { PastPresentation } from '../../handouts/presentation.ts'
import { listPlaces, listSpotlights } from '../../people/read-people.ts'
import type { ActiveSegment, CompleteSegment } from '../recordings/segment.ts'
import { exhibitsOf, shownDuring, spotlightsOf } from './exhibits-of-room.ts'
import type { FinishRun } from './finish-run.ts'

type CapturedSegment = ActiveSegment | CompleteSegment

/** Everything that a room's log says about its captures. */
export interface CaptureContext {
  /** Media identities in the order of their tiles. */
  places: readonly string[]
  partOf: (segment: CapturedSegment) => Pick<CapturedPart, 'exhibits' | 'spotlights'>
}

interface ContextOrder {
  segments: readonly CapturedSegment[]
  /** The folder for the shown files. */
  folder: string
  run: Pick<FinishRun, 'signal' | 'log'>
}

/** Reads what was shown during these segments, and fetches the files. Throws `StorageError`. */
export async function readContext(
  { db, storage }: Pick<Deps, 'db' | 'storage'>,
  roomId: string,
  { segments, folder, run }: ContextOrder,
): Promise<CaptureContext> {
  const isOfPerson = segments.some(({ person }) => person !== null)
  const presentations = isOfPerson ? [] : await listPresentations(db, roomId)
  const spotlights = isOfPerson ? [] : await listSpotlights(db, roomId)
  const shown = segments.flatMap((segment) => shownDuring(segment, presentations))
  const files = await fetchFiles(storage, shown, { folder, run })
  return {
    places: await listPlaces(db, roomId),
    partOf: (segment) => ({
      exhibits: exhibitsOf(segment, presentations, (key) => files.get(key)),
      spotlights: spotlightsOf(segment, spotlights),
    }),
  }
}

/** Fetches the presented files by their keys. A missing one is left out of the recording. */
async function fetchFiles(
  storage: Deps['storage'],
  shown: readonly PastPresentation[],
  { folder, run }: Pick<ContextOrder, 'folder' | 'run'>,
): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>()
  for (const storageKey of new Set(shown.map((each) => each.storageKey))) {
    if ((await storage.head(storageKey)) === undefined) {
      run.log.warn('exhibit file missing, left out of the recording')
      continue
    }
    const file = path.join(folder, `shown-${files.size}`)
    const { signal } = run
    await pipeline(await storage.read(storageKey), createWriteStream(file), { signal })
    files.set(storageKey, file)
  }
  return files
}
