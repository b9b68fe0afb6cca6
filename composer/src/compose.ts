import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { composePiece, nextEnd } from './compose-piece.ts'
import type { Exhibit, ExhibitMedia } from './exhibits.ts'
import { type Contents, contentsOf, joinPieces, joinVoices, type Voice } from './join-pieces.ts'
import type { Size } from './layouts.ts'
import type { Piece, PieceEnd } from './pieces.ts'
import type { CompositionPlan } from './plan.ts'
import { probeExhibit } from './probe-exhibit.ts'
import { EmptyCapturesError, type Material, readMaterials } from './read-material.ts'
import type { Spotlight } from './spotlights.ts'
import type { VideoMedia } from './track-media.ts'

/** The source of one part of the recording. */
export interface Capture {
  /**
   * The folder with the events and the logs of the tracks: from the beginning, or as much as the pieces leave to be composed.
   * Undefined if they leave nothing.
   */
  folder: string | undefined
  /** Images and videos that were shown meanwhile, by the clock of the capture. */
  exhibits: readonly Exhibit[]
  /** In order; none by default. */
  spotlights?: readonly Spotlight[] | undefined
  /** Nothing after this is used; in milliseconds by the clock of the capture. By default, its end. */
  untilMs?: number | undefined
  /** Its beginning, if that is composed already. None by default. */
  pieces?: readonly Piece[] | undefined
}

interface Composition {
  plan: CompositionPlan
  program: string
  /**
   * Identities in the order of their tiles in all captures. Everybody else follows by their first appearance; by default, that is
   * everybody.
   */
  places?: readonly string[] | undefined
  /** A folder for temporary files; emptied at the end. */
  scratchFolder: string
}

export interface CompositionJob extends Composition {
  /** Consecutive captures. Time between them is cut out. */
  captures: readonly Capture[]
  file: string
  /** A folder for the sound of each person alone. By default, there is none. */
  voiceFolder?: string | undefined
}

/** In milliseconds. */
export interface Composed extends Contents {
  voices: readonly Voice[]
}

/** The next piece of a capture, with the sound of each person. The plan has a size. */
export interface PieceJob extends Composition {
  capture: Omit<Capture, 'pieces'>
  /** The end of the piece before. By default, the piece begins with the capture. */
  after?: PieceEnd | undefined
  /** More of the capture may arrive. */
  isRunning: boolean
  /** The folder that the piece is made in. */
  folder: string
}

const DEFAULT_SIZE = { width: 640, height: 480 }

/**
 * Makes one MP4 file of the captures; returns its length, and what the captures lack. `onProgress` gets the finished share, 0 to 1. Throws
 * `UnreadableCaptureError`, `EmptyCapturesError`.
 */
export async function compose(
  job: CompositionJob,
  onProgress: (share: number) => void = () => {},
): Promise<Composed> {
  const { plan, program, captures, scratchFolder, file, voiceFolder } = job
  const materials = await read(job, captures)
  const encoding = { ...sizeOf(plan, materials), ...plan.encoding }
  const { frameRate } = encoding
  const frames = captures.map((capture, i) => framesIn(capture, materials[i], frameRate))
  const total = frames.reduce((sum, each) => sum + each, 0)
  if (total === 0) throw new EmptyCapturesError('nothing of the captures may be used')
  const exhibitMedia = await probeAll(program, captures)
  const composed: Piece[][] = []
  let before = 0
  for (const [index, capture] of captures.entries()) {
    const { pieces = [], exhibits, spotlights = [] } = capture
    const material = materials[index]
    const after = pieces.at(-1)?.summary.end
    const toFrame = frames[index] ?? 0
    const known = composed.flatMap((each) => each.at(-1)?.summary.end.places ?? [])
    const done = before + (after?.frame ?? 0)
    const order = {
      plan,
      encoding,
      program,
      exhibits,
      exhibitMedia,
      spotlights,
      after,
      toFrame,
      places: [...(job.places ?? []), ...known],
      isLast: true,
      hasVoices: voiceFolder !== undefined,
      folder: path.join(scratchFolder, `piece-${index}`),
      onProgress: (drawn: number) => onProgress((done + drawn) / total),
    }
    const piece = material && (await composePiece({ ...order, material }))
    composed.push(piece === undefined ? [...pieces] : [...pieces, piece])
    before += toFrame
  }
  await joinPieces(composed, { ...plan, program, frameRate, scratchFolder, file })
  const voices =
    voiceFolder === undefined
      ? []
      : await joinVoices(composed, { program, frameRate, folder: voiceFolder })
  await rm(scratchFolder, { recursive: true, force: true })
  return { ...contentsOf(composed, frameRate), voices }
}

/**
 * Composes the next piece of a capture: of one that runs, up to a moment at which nobody is loud. Undefined if there is too little
 * for one. Throws `UnreadableCaptureError`.
 */
export async function composeNext(job: PieceJob): Promise<Piece | undefined> {
  const { plan, program, capture, after, isRunning, places = [], scratchFolder, folder } = job
  const [material] = await read(job, [capture])
  if (material === undefined) return undefined
  const encoding = { ...DEFAULT_SIZE, ...plan.encoding }
  const { frameRate } = encoding
  const toFrame = isRunning
    ? nextEnd(material, { after, frameRate })
    : framesOf(material, capture.untilMs, frameRate)
  if (toFrame === undefined) return undefined
  const piece = await composePiece({
    plan,
    encoding,
    program,
    material,
    exhibits: capture.exhibits,
    exhibitMedia: await probeAll(program, [capture]),
    spotlights: capture.spotlights ?? [],
    after,
    toFrame,
    places,
    isLast: !isRunning,
    hasVoices: true,
    folder,
    onProgress: () => {},
  })
  await rm(scratchFolder, { recursive: true, force: true })
  return piece
}

async function read(
  { scratchFolder }: Composition,
  captures: readonly Pick<Capture, 'folder'>[],
): Promise<(Material | undefined)[]> {
  await mkdir(scratchFolder, { recursive: true })
  return readMaterials(
    captures.map(({ folder }) => folder),
    scratchFolder,
  )
}

async function probeAll(
  program: string,
  captures: readonly Pick<Capture, 'exhibits'>[],
): Promise<ReadonlyMap<string, ExhibitMedia>> {
  const found = new Map<string, ExhibitMedia>()
  for (const exhibit of captures.flatMap(({ exhibits }) => exhibits)) {
    if (found.has(exhibit.file)) continue
    const media = await probeExhibit(program, exhibit)
    if (media !== undefined) found.set(exhibit.file, media)
  }
  return found
}

function framesIn(
  { pieces = [], untilMs }: Capture,
  material: Material | undefined,
  frameRate: number,
): number {
  if (material === undefined) return pieces.at(-1)?.summary.end.frame ?? 0
  return framesOf(material, untilMs, frameRate)
}

/**
 * A whole number of frames, so that audio and video have the same length: rounded up at the end, rounded down where later media must
 * not be used.
 */
function framesOf(
  { startMs, endMs }: Material,
  untilMs: number | undefined,
  frameRate: number,
): number {
  const frames =
    untilMs === undefined || untilMs >= endMs
      ? Math.ceil(((endMs - startMs) * frameRate) / 1000)
      : Math.floor(((untilMs - startMs) * frameRate) / 1000)
  return Math.max(0, frames)
}

function sizeOf({ encoding }: CompositionPlan, materials: readonly (Material | undefined)[]): Size {
  const { width, height } = encoding
  if (width !== undefined && height !== undefined) return { width, height }
  const videoTracks: VideoMedia[] = materials.flatMap((one) => one?.videoTracks ?? [])
  let largest: Size = { width: 0, height: 0 }
  for (const { units } of videoTracks) {
    for (const unit of units) {
      if (unit.width * unit.height > largest.width * largest.height) largest = unit
    }
  }
  if (largest.width === 0) return DEFAULT_SIZE
  return { width: largest.width & ~1, height: largest.height & ~1 }
}
