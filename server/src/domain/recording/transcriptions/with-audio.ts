import { createWriteStream } from 'node:fs'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Logger } from 'pino'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { findFfmpeg } from '../../../platform/media-files/find-ffmpeg.ts'
import { withLocalAddresses } from '../../../platform/media-files/local-addresses.ts'
import {
  isUnreadable,
  type MediaFileError,
} from '../../../platform/media-files/media-file-error.ts'
import { requireSpace, withWorkspace } from '../../../platform/media-files/workspace.ts'
import type { Deps } from '../../../platform/ports/deps.ts'
import type { ObjectLocation } from '../../../platform/ports/storage.ts'
import {
  BYTES_PER_SEC,
  cutAudio,
  extractAudio,
  type ExtractedAudio,
  type AudioTools,
} from './audio.ts'
import type { Capabilities } from './engines/engine.ts'
import type { PlannedPart } from './part-store.ts'
import { planParts } from './plan-parts.ts'
import type { Source } from './store.ts'
import { extractEntry, readEntry } from './unzip.ts'
import { lengthOf, rangesOf, silencesIn, soundingsOf, within } from './without-silence.ts'

export type AudioDeps = Pick<Deps, 'storage' | 'config'>

/** The sound of a recording, available while its temporary files exist. */
export interface RecordingAudio {
  /** Returns the same plan at every call. */
  plan(capabilities: Capabilities): Promise<PlannedPart[]>
  /** Cuts the audio of a part, and returns its path. */
  cut(part: PlannedPart & { number: number }): Promise<string>
}

type HeardFile = Omit<PlannedPart, 'startSec' | 'endSec' | 'seamSec' | 'soundings'>

const Manifest = Type.Object({
  files: Type.Array(
    Type.Object({
      name: Type.String(),
      participant_id: Type.Union([Type.String(), Type.Null()]),
      role: Type.Union([Type.String(), Type.Null()]),
      display_name: Type.Union([Type.String(), Type.Null()]),
      offset_sec: Type.Number({ minimum: 0 }),
    }),
  ),
})

const LOCATION_FOR_SEC = 6 * 3600
const MANIFEST = 'manifest.json'
const SPACE_MIN_BYTES = 64 * 1024 * 1024

interface AudioRequest {
  source: Source
  format: AudioTools['format']
  signal: AbortSignal
  log: Logger
}

/** Runs `work` with the sound of a recording. Throws `MediaFileError`, `StorageError`, or the signal's reason. */
export async function withAudio<T>(
  deps: AudioDeps,
  { source, format, signal, log }: AudioRequest,
  work: (audio: RecordingAudio) => Promise<T>,
): Promise<T> {
  const { storage, config } = deps
  const ffmpeg = await findFfmpeg(config.ffmpegPath)
  return withWorkspace(config.workDir, async (folder) => {
    const tools = { ffmpeg, folder, format, signal, log }
    const soundBytes = BYTES_PER_SEC * source.durationSec
    await requireSpace(folder, SPACE_MIN_BYTES + soundBytes * (1 + (source.voices.length || 1)))
    if (source.outputMode === 'individual') return work(await openArchive(deps, source, tools))
    const files = filesOf(source)
    const locations: ObjectLocation[] = []
    for (const { fileName } of files) {
      const key = fileName ?? source.key
      locations.push(await storage.locate(key, { forSec: LOCATION_FOR_SEC }))
    }
    return withLocalAddresses(locations, (locals) => {
      const hear = (file: HeardFile) => {
        const index = files.findIndex(({ fileName }) => fileName === file.fileName)
        const location = locals[index]
        if (location === undefined) throw new RangeError('a part of a file that is gone')
        return extractAudio(location, `sound-${index}`, tools)
      }
      return work(audioOf(files, hear, tools))
    })
  })
}

/** The voices of a composed recording by their keys, or else the whole file. */
function filesOf({ voices }: Source): HeardFile[] {
  if (voices.length === 0) {
    return [{ fileName: null, participantId: null, speaker: null, role: null, offsetSec: 0 }]
  }
  return voices.map(({ storageKey, participantId, role, displayName }) => ({
    fileName: storageKey,
    participantId,
    speaker: displayName ?? role,
    role,
    offsetSec: 0,
  }))
}

async function openArchive({ storage }: AudioDeps, source: Source, tools: AudioTools) {
  const { folder, signal } = tools
  const archive = path.join(folder, 'archive.zip')
  const { sizeBytes } = (await storage.head(source.key)) ?? { sizeBytes: 0 }
  await requireSpace(folder, 2 * sizeBytes)
  await pipeline(await storage.read(source.key), createWriteStream(archive), { signal })
  const manifest: unknown = JSON.parse((await readEntry(archive, MANIFEST)).toString())
  if (!Value.Check(Manifest, manifest)) throw new TypeError('a manifest that is not ours')
  const files = manifest.files.map((file) => ({
    fileName: file.name,
    participantId: file.participant_id,
    speaker: file.display_name ?? file.role,
    role: file.role,
    offsetSec: file.offset_sec,
  }))
  const hear = async (file: HeardFile) => {
    const index = files.findIndex(({ fileName }) => fileName === file.fileName)
    const target = path.join(folder, `file-${index}.mp4`)
    await extractEntry(archive, file.fileName ?? '', target)
    return extractAudio({ kind: 'path', path: target }, `sound-${index}`, tools)
  }
  return audioOf(files, hear, tools)
}

function audioOf(
  files: readonly HeardFile[],
  hear: (file: HeardFile) => Promise<ExtractedAudio | undefined>,
  tools: AudioTools,
): RecordingAudio {
  const heard = new Map<string | null, Promise<ExtractedAudio | undefined>>()
  const audioFor = (file: HeardFile) => {
    const audio = heard.get(file.fileName) ?? hear(file)
    heard.set(file.fileName, audio)
    return audio
  }
  return {
    async plan({ audioMaxSec, audioMaxBytes }) {
      const maxSec = Math.min(audioMaxSec, Math.floor(audioMaxBytes / BYTES_PER_SEC) - 1)
      const parts: PlannedPart[] = []
      const unreadable: MediaFileError[] = []
      for (const file of files) {
        const audio = await audioFor(file).catch((error: unknown) => {
          if (!isUnreadable(error)) throw error
          unreadable.push(error)
        })
        if (audio === undefined) continue
        const sent = soundingsOf(audio.durationSec, audio.silences)
        if (sent.length === 0) continue
        const silences = silencesIn(sent, audio.silences)
        const stretches = planParts(lengthOf(sent), { maxSec, silences })
        parts.push(
          ...stretches.map((stretch) => ({
            ...file,
            ...stretch,
            soundings: within(sent, stretch),
          })),
        )
      }
      const [error] = unreadable
      if (error === undefined) return parts
      // One broken file must not cost the words of the others.
      if (unreadable.length === files.length) throw error
      tools.log.warn(
        { files: unreadable.length },
        'files of a recording unreadable, not transcribed',
      )
      return parts
    },
    async cut({ number, startSec, endSec, soundings, ...file }) {
      const audio = await audioFor(file)
      if (audio === undefined) throw new RangeError('a part of a file without sound')
      const whole = [{ fromSec: startSec, toSec: endSec }]
      const ranges = soundings === null ? whole : rangesOf(soundings, { startSec, endSec })
      return cutAudio(audio.path, { name: `part-${number}`, ranges }, tools)
    },
  }
}
