import { createWriteStream } from 'node:fs'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Logger } from 'pino'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { findFfmpeg } from '../../../platform/media-files/find-ffmpeg.ts'
import { withLocalAddresses } from '../../../platform/media-files/local-addresses.ts'
import { requireSpace, withWorkspace } from '../../../platform/media-files/workspace.ts'
import type { Deps } from '../../../platform/ports/deps.ts'
import type { Capabilities } from './engines/engine.ts'
import type { PlannedPart } from './part-store.ts'
import { planParts } from './plan-parts.ts'
import { BYTES_PER_SEC, cutSound, extractSound, type Sound, type SoundTools } from './sound.ts'
import { extractEntry, readEntry } from './unzip.ts'

export type SoundDeps = Pick<Deps, 'storage' | 'config'>

export interface Source {
  key: string
  outputMode: 'composed' | 'individual'
  durationSec: number
}

/** What of a recording can be heard, while its temporary files are there. */
export interface Sounds {
  /** The same whenever it is asked for. */
  plan(capabilities: Capabilities): Promise<PlannedPart[]>
  /** Where the audio of a part lies. */
  cut(part: PlannedPart & { number: number }): Promise<string>
}

interface HeardFile {
  fileName: string | null
  speaker: string | null
  role: string | null
  offsetSec: number
}

const Manifest = Type.Object({
  files: Type.Array(
    Type.Object({
      name: Type.String(),
      role: Type.Union([Type.String(), Type.Null()]),
      display_name: Type.Union([Type.String(), Type.Null()]),
      offset_sec: Type.Number({ minimum: 0 }),
    }),
  ),
})

const PLACE_FOR_SEC = 6 * 3600
const MANIFEST = 'manifest.json'
const SPACE_MIN_BYTES = 64 * 1024 * 1024

interface Making {
  source: Source
  format: SoundTools['format']
  signal: AbortSignal
  log: Logger
}

/** Lets `work` hear a recording. Throws `MediaFileError`, `StorageError`, or the signal's reason. */
export async function withSounds<T>(
  deps: SoundDeps,
  { source, format, signal, log }: Making,
  work: (sounds: Sounds) => Promise<T>,
): Promise<T> {
  const { storage, config } = deps
  const ffmpeg = await findFfmpeg(config.ffmpegPath)
  return withWorkspace(config.workDir, async (folder) => {
    const tools = { ffmpeg, folder, format, signal, log }
    await requireSpace(folder, SPACE_MIN_BYTES + 2 * BYTES_PER_SEC * source.durationSec)
    if (source.outputMode === 'individual') return work(await openArchive(deps, source, tools))
    const place = await storage.locate(source.key, { forSec: PLACE_FOR_SEC })
    return withLocalAddresses([place], ([local]) => {
      const whole = { fileName: null, speaker: null, role: null, offsetSec: 0 }
      const hear = () => extractSound(local ?? place, 'sound', tools)
      return work(soundsOf([whole], hear, tools))
    })
  })
}

async function openArchive({ storage }: SoundDeps, source: Source, tools: SoundTools) {
  const { folder, signal } = tools
  const archive = path.join(folder, 'archive.zip')
  const { sizeBytes } = (await storage.head(source.key)) ?? { sizeBytes: 0 }
  await requireSpace(folder, 2 * sizeBytes)
  await pipeline(await storage.read(source.key), createWriteStream(archive), { signal })
  const manifest: unknown = JSON.parse((await readEntry(archive, MANIFEST)).toString())
  if (!Value.Check(Manifest, manifest)) throw new TypeError('a manifest that is not ours')
  const files = manifest.files.map((file) => ({
    fileName: file.name,
    speaker: file.display_name ?? file.role,
    role: file.role,
    offsetSec: file.offset_sec,
  }))
  const hear = async (file: HeardFile) => {
    const index = files.findIndex(({ fileName }) => fileName === file.fileName)
    const target = path.join(folder, `file-${index}.mp4`)
    await extractEntry(archive, file.fileName ?? '', target)
    return extractSound({ kind: 'path', path: target }, `sound-${index}`, tools)
  }
  return soundsOf(files, hear, tools)
}

function soundsOf(
  files: readonly HeardFile[],
  hear: (file: HeardFile) => Promise<Sound | undefined>,
  tools: SoundTools,
): Sounds {
  const heard = new Map<string | null, Promise<Sound | undefined>>()
  const soundOf = (file: HeardFile) => {
    const sound = heard.get(file.fileName) ?? hear(file)
    heard.set(file.fileName, sound)
    return sound
  }
  return {
    async plan({ audioMaxSec, audioMaxBytes }) {
      const maxSec = Math.min(audioMaxSec, Math.floor(audioMaxBytes / BYTES_PER_SEC) - 1)
      const parts: PlannedPart[] = []
      for (const file of files) {
        const sound = await soundOf(file)
        if (sound === undefined) continue
        const stretches = planParts(sound.durationSec, { maxSec, silences: sound.silences })
        parts.push(...stretches.map((stretch) => ({ ...file, ...stretch })))
      }
      return parts
    },
    async cut({ number, startSec, endSec, ...file }) {
      const sound = await soundOf(file)
      if (sound === undefined) throw new RangeError('a part of a file without sound')
      if (startSec === 0 && endSec >= sound.durationSec) return sound.path
      return cutSound(sound.path, { name: `part-${number}`, startSec, endSec }, tools)
    },
  }
}
