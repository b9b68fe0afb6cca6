import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import type { Logger } from 'pino'
import type { Deps } from '../deps.ts'
import { findFfmpeg } from '../media-files/find-ffmpeg.ts'
import { type JoinedVideo, joinVideos } from '../media-files/join-videos.ts'
import { withWorkspace } from '../media-files/workspace.ts'
import { zipFiles } from '../media-files/zip-files.ts'
import { newVideoKey } from '../storage/object-key.ts'
import { expectObject } from '../storage/unclaimed-object.ts'
import { codecsOf, type PartCodecs } from './part-codecs.ts'
import { fileTypeOf, type Recording } from './recording.ts'
import { manifestOf, startOf } from './recording-manifest.ts'
import type { Segment } from './segment.ts'
import type { RecordingFile } from './store.ts'

type MakeDeps = Pick<Deps, 'db' | 'storage' | 'clock' | 'config'>

/** A run of the job that makes it. */
export interface FinishRun {
  /** 1 for the first. */
  attempt: number
  signal: AbortSignal
  log: Logger
}

export interface Making {
  /** At least one. */
  kept: readonly Segment[]
  run: FinishRun
}

/** Parts are copied, not encoded: joining takes a small part of their length. */
const JOIN_MIN_MS = 10 * 60_000
/** How long an address of a part holds, in seconds. */
const PART_FOR_SEC = 6 * 3600

/** The one file of several parts, stored. Throws `MediaFileError`, `StorageError`. */
export async function makeFile(
  deps: MakeDeps,
  recording: Recording,
  making: Making,
): Promise<RecordingFile> {
  return recording.outputMode === 'composed'
    ? joinParts(deps, recording, making)
    : archiveParts(deps, recording, making)
}

async function joinParts(
  deps: MakeDeps,
  { tenantId, outputMode }: Recording,
  making: Making,
): Promise<RecordingFile> {
  const { storage, config } = deps
  return withWorkspace(config.workDir, async (folder) => {
    const { path, measured } = await joinIn(folder, deps, making)
    const storageKey = newVideoKey(tenantId, 'recordings')
    await expectObject(deps, storageKey)
    const { mime } = fileTypeOf(outputMode)
    const { sizeBytes } = await storage.put(storageKey, createReadStream(path), { mime })
    return { storageKey, sizeBytes, durationSec: measured.durationSec }
  })
}

/** The parts as one video in this folder. Throws `MediaFileError`, `StorageError`. */
export async function joinIn(
  folder: string,
  { storage, config }: Pick<Deps, 'storage' | 'config'>,
  { kept, run: { signal, log } }: Making,
): Promise<JoinedVideo> {
  const ffmpeg = await findFfmpeg(config.ffmpegPath)
  const parts = await Promise.all(
    kept.map(({ storageKey }) => storage.locate(storageKey, { forSec: PART_FOR_SEC })),
  )
  const deadlineMs = Math.max(JOIN_MIN_MS, totalSecOf(kept) * 1000)
  return joinVideos(ffmpeg, { parts, folder, deadlineMs, signal, log })
}

async function archiveParts(
  deps: MakeDeps,
  recording: Recording,
  { kept, run: { signal } }: Making,
): Promise<RecordingFile> {
  const { storage, clock } = deps
  const parts: { part: Segment; codecs: PartCodecs }[] = []
  const inOrder = kept.toSorted((a, b) => startOf(a).getTime() - startOf(b).getTime())
  for (const part of inOrder) parts.push({ part, codecs: await codecsOf(storage, part, signal) })
  const { manifest, names, durationSec } = manifestOf(recording, parts)
  const files = inOrder.map(({ storageKey, sizeBytes }, index) => ({
    name: names[index] ?? storageKey,
    sizeBytes: sizeBytes ?? 0,
    open: () => storage.read(storageKey),
  }))
  const storageKey = `${recording.tenantId}/recordings/${randomUUID()}`
  await expectObject(deps, storageKey)
  const archive = zipFiles({ files, manifest, madeAt: clock() })
  const { mime } = fileTypeOf(recording.outputMode)
  const { sizeBytes } = await storage.put(storageKey, archive, { mime })
  return { storageKey, sizeBytes, durationSec }
}

function totalSecOf(kept: readonly Segment[]): number {
  return kept.reduce((sum, { durationSec }) => sum + (durationSec ?? 0), 0)
}
