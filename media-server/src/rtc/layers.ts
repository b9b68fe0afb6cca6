import { VideoQuality } from '@livekit/protocol'

/** 0 is the smallest picture. A track without simulcast has the single layer 0. */
export type LayerIndex = number

export interface LayerState {
  index: LayerIndex
  width: number
  /** In the time of `steadyNow`. */
  lastPacketAtMs: number
}

/** A subscriber's wish for a track, sent with UpdateTrackSettings. */
export interface TrackSettings {
  isDisabled: boolean
  quality: VideoQuality
  width: number
}

export const DEFAULT_SETTINGS: TrackSettings = {
  isDisabled: false,
  quality: VideoQuality.HIGH,
  width: 0,
}

/** A camera that stops a layer (for lack of bandwidth) is noticed within a second. */
export const CAMERA_LAYER_ALIVE_MS = 1000
/** A still screen sends about one frame a second, so that a layer is not dead before three. */
export const SCREEN_LAYER_ALIVE_MS = 3000

/** As a limit: none. */
export const EVERY_LAYER: LayerIndex = Number.MAX_SAFE_INTEGER

const LAYER_OF_RID: Record<string, LayerIndex> = { q: 0, h: 1, f: 2 }

/** The layer a simulcast stream id names; unknown names count as the smallest. */
export function layerOfRid(rid: string): LayerIndex {
  return LAYER_OF_RID[rid] ?? 0
}

/**
 * The best layer that is being sent and not above the wish, nor above what the connection carries; else
 * the smallest one being sent.
 */
export function chooseLayer(
  layers: readonly LayerState[],
  settings: TrackSettings,
  { layerMax, ...time }: { nowMs: number; aliveMs: number; layerMax?: LayerIndex },
): LayerIndex | undefined {
  const alive = aliveLayers(layers, time)
  const wanted = Math.min(wantedLayer(layers, settings), layerMax ?? EVERY_LAYER)
  return (alive.findLast((layer) => layer.index <= wanted) ?? alive[0])?.index
}

/** The layers that are being sent, the smallest first. */
export function aliveLayers(
  layers: readonly LayerState[],
  { nowMs, aliveMs }: { nowMs: number; aliveMs: number },
): LayerState[] {
  return layers
    .filter((layer) => nowMs - layer.lastPacketAtMs < aliveMs)
    .toSorted((a, b) => a.index - b.index)
}

// A size says more than a quality: the smallest layer that still fills it.
function wantedLayer(layers: readonly LayerState[], settings: TrackSettings): LayerIndex {
  if (settings.width > 0) {
    const bySize = layers.filter((layer) => layer.width > 0).toSorted((a, b) => a.width - b.width)
    const enough = bySize.find((layer) => layer.width >= settings.width)
    if (enough !== undefined) return enough.index
    return EVERY_LAYER
  }
  if (settings.quality === VideoQuality.LOW) return 0
  return settings.quality === VideoQuality.MEDIUM ? 1 : EVERY_LAYER
}
