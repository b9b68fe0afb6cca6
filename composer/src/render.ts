import { BACKGROUND, Canvas, EMPTY_TILE, type RawFrame } from './canvas.ts'
import { ExhibitSource } from './exhibit-source.ts'
import { type Encoding, encodeVideo } from './ffmpeg-arguments.ts'
import { FfmpegProcess } from './ffmpeg-process.ts'
import { gapText, type Label, type LabelMaker, makeLabel } from './labels.ts'
import type { Box, Size } from './layouts.ts'
import type { Scene, Tile } from './scenes.ts'
import { planShots } from './shots.ts'
import type { VideoMedia } from './track-media.ts'
import { VideoSource } from './video-source.ts'

export interface RenderOptions {
  program: string
  encoding: Encoding
  labels: LabelMaker
  file: string
  threads: number
  /** Called with the number of frames drawn so far. */
  onProgress: (frames: number) => void
}

/** The source of the scenes. */
export interface Rendered {
  videoTracks: readonly VideoMedia[]
  /** The frame at a moment. */
  frameOf: (ms: number) => number
}

/** Pictures of one tile, requested frame by frame in ascending order. */
type FrameSource = Pick<VideoSource, 'at' | 'close'>

interface Drawn {
  box: Box
  source: FrameSource | undefined
  label: Label | undefined
  /** The label is in the middle, as the words of a card. */
  isCard: boolean
  shown: RawFrame | undefined
}

/** Draws the scenes frame by frame and encodes them. */
export async function renderScenes(
  scenes: readonly Scene[],
  rendered: Rendered,
  options: RenderOptions,
): Promise<void> {
  const { encoding, file, threads, program, onProgress } = options
  const encoder = new FfmpegProcess(program, encodeVideo(encoding, { file, threads }))
  const stage = new Stage(rendered, options)
  const first = scenes[0]?.fromFrame ?? 0
  const report = (frame: number) => {
    if (frame % encoding.frameRate < 1) onProgress(frame - first)
  }
  try {
    for (const [i, scene] of scenes.entries()) {
      await stage.set(scene, scenes.slice(i))
      for (let frame = scene.fromFrame; frame < scene.toFrame; frame++) {
        await stage.draw(frame)
        await encoder.write(stage.canvas.data)
        report(frame)
      }
    }
    await encoder.finish()
  } finally {
    stage.close()
    encoder.stop()
  }
}

class Stage {
  readonly canvas: Canvas
  readonly #rendered: Rendered
  readonly #options: RenderOptions
  readonly #labels = new Map<string, Label | undefined>()
  #sources = new Map<string, FrameSource>()
  #drawn: Drawn[] = []

  constructor(rendered: Rendered, options: RenderOptions) {
    this.#rendered = rendered
    this.#options = options
    this.canvas = new Canvas(options.encoding)
  }

  /** Sets a scene. Videos that it has in common with the scene before continue to be decoded. */
  async set(scene: Scene, upcoming: readonly Scene[]): Promise<void> {
    const former = this.#sources
    this.#sources = new Map()
    const { width, height } = this.canvas
    this.canvas.paint({ x: 0, y: 0, width, height }, BACKGROUND)
    this.#drawn = []
    for (const tile of scene.tiles) {
      const source = this.#sourceOf(tile, former, upcoming)
      const label = await this.#labelOf(tile)
      const isCard = tile.gapSec !== undefined
      const drawn = { box: tile.box, source, label, isCard, shown: undefined }
      this.#drawn.push(drawn)
      this.#paintTile(tile.box, undefined)
      this.#drawTile(drawn)
    }
    for (const [key, source] of former) if (!this.#sources.has(key)) source.close()
  }

  async draw(frame: number): Promise<void> {
    for (const tile of this.#drawn) {
      const video = await tile.source?.at(frame)
      if (video === tile.shown) continue
      const isCovered = video !== undefined && isSameSize(video, tile.shown)
      if (!isCovered) this.#paintTile(tile.box, video)
      tile.shown = video
      this.#drawTile(tile)
    }
  }

  close(): void {
    for (const source of this.#sources.values()) source.close()
  }

  #paintTile(box: Box, video: RawFrame | undefined): void {
    this.canvas.paint(box, video === undefined ? EMPTY_TILE : BACKGROUND)
  }

  #drawTile({ box, shown: video, label, isCard }: Drawn): void {
    const place = video === undefined ? box : placeIn(box, video)
    if (video !== undefined) this.canvas.draw(video, place)
    if (label === undefined) return
    if (isCard) return this.canvas.draw(label.video, placeIn(box, label.part), label.part)
    const { width, height } = label.part
    // A name that is wider than a portrait picture takes the room beside it.
    const x = Math.max(box.x, Math.min(place.x, box.x + box.width - width))
    this.canvas.draw(label.video, { x, y: place.y + place.height - height }, label.part)
  }

  #sourceOf(
    tile: Tile,
    former: ReadonlyMap<string, FrameSource>,
    upcoming: readonly Scene[],
  ): FrameSource | undefined {
    const key = keyOf(tile)
    const source = former.get(key) ?? this.#newSource(tile, upcoming)
    if (source !== undefined) this.#sources.set(key, source)
    return source
  }

  #newSource(tile: Tile, upcoming: readonly Scene[]): FrameSource | undefined {
    const { box, video, exhibit } = tile
    const { program, encoding } = this.#options
    const { frameRate } = encoding
    if (exhibit !== undefined) return new ExhibitSource({ program, exhibit, box, frameRate })
    const { videoTracks, frameOf } = this.#rendered
    const media = videoTracks.find(({ track }) => track === video?.track)
    if (video === undefined || media === undefined) return undefined
    const { sinceMs } = video
    const fromFrame = upcoming[0]?.fromFrame ?? 0
    const toFrame = endOf(keyOf(tile), upcoming)
    const shots = planShots(media.units, { frameOf, sinceMs, fromFrame, toFrame })
    return new VideoSource({ program, file: media.file, box, frameRate, shots })
  }

  async #labelOf({ name, box, gapSec }: Tile): Promise<Label | undefined> {
    const { labels } = this.#options
    const text = gapSec === undefined ? name : gapText(gapSec, labels.fonts)
    if (text === '') return undefined
    const key = `${box.width}x${box.height} ${text}`
    if (!this.#labels.has(key)) {
      this.#labels.set(key, await makeLabel(text, box, labels))
    }
    return this.#labels.get(key)
  }
}

/** The last frame that shows the same picture in the same size. */
function endOf(key: string, upcoming: readonly Scene[]): number {
  const last = upcoming.findIndex((scene) => !scene.tiles.some((tile) => keyOf(tile) === key))
  return (last === -1 ? upcoming.at(-1)?.toFrame : upcoming[last]?.fromFrame) ?? 0
}

function keyOf({ video, exhibit, box }: Tile): string {
  const content = exhibit?.id ?? `${video?.track} ${video?.sinceMs}`
  return `${content} ${box.width}x${box.height}`
}

function isSameSize(one: Size, other: Size | undefined): boolean {
  return one.width === other?.width && one.height === other.height
}

function placeIn(box: Box, { width, height }: Size): Box {
  const x = box.x + Math.floor((box.width - width) / 4) * 2
  const y = box.y + Math.floor((box.height - height) / 4) * 2
  return { x, y, width, height }
}
