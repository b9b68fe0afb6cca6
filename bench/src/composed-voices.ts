import { createReadStream, linkSync, mkdirSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { unpackCapture } from '@interview-room/composer/capture/capture-archive.ts'
import { runComposition } from '@interview-room/composer/run-composition.ts'
import type { ArchiveResolution } from '@interview-room/contract/vocabulary.ts'
import { videoFormOf } from '@interview-room/server/src/domain/recording/recordings/recording.ts'
import { composedEncoding } from '@interview-room/server/src/platform/media-files/compose-captures.ts'
import { findFfmpeg } from '@interview-room/server/src/platform/media-files/find-ffmpeg.ts'
import { cpuSecOfChildren } from './process-usage.ts'
import { median } from './statistics.ts'

const ROUNDS = 3
const LOOK_MS = 50
const CAPTURE = /\.capture(\.\d+)?$/

/** Keeps the captures that are in the storage until it is stopped: the service deletes them once it has composed them. */
export class KeptCaptures {
  readonly #folder: string
  readonly #timer: NodeJS.Timeout

  constructor(outputDir: string, folder: string) {
    this.#folder = folder
    mkdirSync(folder, { recursive: true })
    const keep = () => {
      const known = new Set(readdirSync(folder))
      for (const { name, parentPath } of readdirSync(outputDir, {
        recursive: true,
        withFileTypes: true,
      })) {
        if (!CAPTURE.test(name) || known.has(name)) continue
        linkSync(path.join(parentPath, name), path.join(folder, name))
      }
    }
    this.#timer = setInterval(keep, LOOK_MS)
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  /** Unpacks what was kept of one recording; returns the folder. The end mark has nothing in it. */
  async unpack(): Promise<string> {
    const target = path.join(this.#folder, 'unpacked')
    mkdirSync(target)
    for (const name of readdirSync(this.#folder).toSorted()) {
      if (!CAPTURE.test(name)) continue
      await unpackCapture(createReadStream(path.join(this.#folder, name)), target)
    }
    return target
  }
}

/** CPU time of composing a capture with the sound of each person, as a ratio to the same without: the median of rounds. */
export async function costOfVoices(
  folder: string,
  archiveResolution: ArchiveResolution,
): Promise<number> {
  const program = await findFfmpeg(undefined)
  const encoding = composedEncoding(videoFormOf({ archiveResolution, streamFrameRate: 15 }))
  const cpuSecOf = async (voiceFolder?: string) => {
    const before = cpuSecOfChildren()
    const job = {
      plan: { layout: 'grid', isFill: false, hasPicture: true, hasSound: true, encoding },
      program,
      captures: [{ folder, exhibits: [] }],
      scratchFolder: path.join(folder, 'scratch'),
      file: path.join(folder, 'composed.mp4'),
      voiceFolder,
    }
    await runComposition(job, new AbortController().signal)
    return cpuSecOfChildren() - before
  }
  const ratios: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const without = await cpuSecOf()
    ratios.push((await cpuSecOf(folder)) / without)
  }
  return median(ratios)
}
