import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import path from 'node:path'
import { inTransaction } from '../../platform/db/db.ts'
import type { Job, JobRequest, JobRun } from '../../platform/jobs/job.ts'
import { uuidv7 } from '../../platform/lib/uuid.ts'
import { ENCODING_ARGS, inputArgs, MP4_ARGS } from '../../platform/media-files/ffmpeg-args.ts'
import { findFfmpeg } from '../../platform/media-files/find-ffmpeg.ts'
import { withLocalAddresses } from '../../platform/media-files/local-addresses.ts'
import { hasFailed, isTimedOut } from '../../platform/media-files/media-file-error.ts'
import { runFfmpeg } from '../../platform/media-files/run-ffmpeg.ts'
import { withWorkspace } from '../../platform/media-files/workspace.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { claimObject, giveUpObject, putExpected } from '../../platform/storage/unclaimed-object.ts'
import { publishLiveEvent } from '../room-log/publish-live-event.ts'
import type { Handout, Rendition } from './handout.ts'
import { lockHandout } from './lock-handout.ts'
import { publishHandoutList } from './publish-handout-list.ts'
import { findHandout, type HandoutKey, isPresented, updateHandout } from './store.ts'

type RenditionDeps = Pick<Deps, 'db' | 'storage' | 'clock' | 'config'>

const KIND = 'make-rendition'
/** Enough for the longest file that a handout may have, on a slow machine. */
const DEADLINE_MS = 60 * 60_000
/** At most as wide as screens, with the even sizes that H.264 needs. */
const SIZE = ['-vf', String.raw`scale=w=trunc(min(1920\,iw)/2)*2:h=-2`]
const TRACKS = '-map 0:V:0 -map 0:a:0?'.split(' ')

/** The rendition of the video that a handout has now. */
export function renditionRequest(
  { tenantId, handoutId }: HandoutKey,
  storageKey: string,
): JobRequest {
  return { kind: KIND, key: storageKey, payload: { tenantId, handoutId } }
}

/**
 * Makes what browsers show in place of a video that they do not play. Until it is there, and if ffmpeg fails, the original is
 * shown.
 */
export function makeRenditionJob(deps: RenditionDeps): Job {
  return {
    kind: KIND,
    async run({ key, payload, signal, log }) {
      const handoutKey = payload as unknown as HandoutKey
      const { tenantId, handoutId } = handoutKey
      if (!isWanted(await findHandout(deps.db, handoutKey), key)) return { outcome: 'done' }
      try {
        const rendition = await encode(deps, { key, tenantId, signal, log })
        await store(deps, handoutKey, { key, rendition })
      } catch (error) {
        if (!hasFailed(error) && !isTimedOut(error)) throw error
        log.warn({ err: error, handoutId }, 'a video handout has no rendition')
      }
      return { outcome: 'done' }
    },
  }
}

function isWanted(handout: Handout | undefined, storageKey: string): boolean {
  return handout?.storageKey === storageKey && handout.rendition === null
}

/** Stores the encoded video under a key that is still to be claimed. */
async function encode(
  deps: RenditionDeps,
  { key, tenantId, signal, log }: Pick<JobRun, 'key' | 'signal' | 'log'> & { tenantId: string },
): Promise<Rendition> {
  const { storage, config } = deps
  const ffmpeg = await findFfmpeg(config.ffmpegPath)
  const source = await storage.locate(key, { forSec: DEADLINE_MS / 1000 })
  return withWorkspace(config.workDir, async (folder) => {
    const target = path.join(folder, 'rendition.mp4')
    await withLocalAddresses([source], ([local = source]) =>
      runFfmpeg(ffmpeg, {
        args: [
          ...inputArgs(local),
          ...TRACKS,
          ...SIZE,
          ...ENCODING_ARGS,
          ...MP4_ARGS,
          `file:${target}`,
        ],
        folder,
        deadlineMs: DEADLINE_MS,
        signal,
        log,
      }),
    )
    const made = `${tenantId}/handouts/${uuidv7()}`
    const { size: expectedBytes } = await stat(target)
    const body = createReadStream(target, { signal })
    return {
      key: made,
      ...(await putExpected(deps, made, { body, expectedBytes, mime: 'video/mp4' })),
    }
  })
}

/** Gives the rendition to the handout, unless the handout has another file by now. */
async function store(
  { db }: RenditionDeps,
  handoutKey: HandoutKey,
  { key, rendition }: { key: string; rendition: Rendition },
): Promise<void> {
  const isStored = await inTransaction(db, async (tx) => {
    const handout = await lockHandout(tx, handoutKey)
    if (handout === undefined || !isWanted(handout, key)) return false
    await claimObject(tx, rendition.key)
    await updateHandout(tx, { ...handout, rendition })
    await publishHandoutList(tx, handout)
    if (await isPresented(tx, handout))
      await publishLiveEvent(tx, handout, { name: 'presentation' })
    return true
  })
  if (!isStored) await giveUpObject(db, rendition.key)
}
