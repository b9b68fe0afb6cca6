import { mkdir, readdir } from 'node:fs/promises'
import path from 'node:path'
import { type CaptureEvent, readCaptureEvents, type TrackRole } from './capture/capture-events.ts'
import { type AudioMedia, readPersonMedia, type VideoMedia } from './track-media.ts'

interface PublishedTrack {
  participant: string
  track: string
  role: TrackRole
}

interface Voice {
  participant: string
  audio: AudioMedia
}

/** The content of a capture. */
export interface Material {
  events: readonly CaptureEvent[]
  startMs: number
  /** Not after the start if nothing was captured. */
  endMs: number
  videoTracks: VideoMedia[]
  voices: Voice[]
}

/** Thrown for a capture that can never be read. */
export class UnreadableCaptureError extends Error {
  override name = 'UnreadableCaptureError'
  /** The index of the capture. */
  readonly index: number

  constructor(index: number, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    super(reason, { cause })
    this.index = index
  }
}

/** Thrown if nothing of the captures may be used: they ended before anything could be seen or heard. */
export class EmptyCapturesError extends Error {
  override name = 'EmptyCapturesError'
}

/** Reads the captures, in order; undefined for one without a folder. Throws `UnreadableCaptureError`. */
export async function readMaterials(
  captureFolders: readonly (string | undefined)[],
  scratchFolder: string,
): Promise<(Material | undefined)[]> {
  const materials: (Material | undefined)[] = []
  for (const [index, capture] of captureFolders.entries()) {
    if (capture === undefined) {
      materials.push(undefined)
      continue
    }
    const scratch = path.join(scratchFolder, String(index))
    await mkdir(scratch, { recursive: true })
    try {
      materials.push(await readMaterial({ capture, scratch }))
    } catch (error) {
      throw isOfThisMachine(error) ? error : new UnreadableCaptureError(index, error)
    }
  }
  return materials
}

/** Faults of this machine, such as a full disk, say nothing about a capture. A missing file does. */
function isOfThisMachine(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException
  return code !== undefined && code !== 'ENOENT'
}

async function readMaterial(folder: { capture: string; scratch: string }): Promise<Material> {
  const events = await readCaptureEvents(path.join(folder.capture, 'facts.jsonl'))
  const logs = new Set(await readdir(folder.capture))
  const tracks = events.flatMap((fact): PublishedTrack[] => {
    if (fact.fact !== 'published' || fact.isEncrypted) return []
    return logs.has(`${fact.track}.rtp`) ? [fact] : []
  })
  const material: Pick<Material, 'videoTracks' | 'voices'> = { videoTracks: [], voices: [] }
  for (const participant of new Set(tracks.map((one) => one.participant))) {
    const own = tracks.filter((one) => one.participant === participant)
    const { videoTracks, audioTracks } = await readPersonMedia(folder, {
      video: distinct(own.filter(({ role }) => isVideo(role))),
      audio: distinct(own.filter(({ role }) => !isVideo(role))),
    })
    material.videoTracks.push(...videoTracks)
    material.voices.push(...audioTracks.map((audio) => ({ participant, audio })))
  }
  const startMs = events.find(({ fact }) => fact === 'active')?.atMs
  if (startMs === undefined) throw new Error('the capture has no beginning')
  const endMs = events.find(({ fact }) => fact === 'stopped')?.atMs ?? lastMoment(events, material)
  return { events, startMs, endMs, ...material }
}

/** The end of a capture that was not ended: the time of its last event or packet. */
function lastMoment(
  events: readonly CaptureEvent[],
  { videoTracks, voices }: Pick<Material, 'videoTracks' | 'voices'>,
): number {
  const tracks = [...videoTracks, ...voices.map((voice) => voice.audio)]
  const moments = tracks.map(({ units }) => units.at(-1)?.atMs ?? 0)
  return Math.max(events.at(-1)?.atMs ?? 0, ...moments)
}

function distinct(tracks: readonly PublishedTrack[]): string[] {
  return [...new Set(tracks.map(({ track }) => track))]
}

function isVideo(role: TrackRole): boolean {
  return role === 'camera' || role === 'screen'
}
