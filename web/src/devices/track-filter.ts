/** Processes a device's track before it is sent. The media client calls these members. */
export interface TrackFilter {
  readonly name: string
  /** The processed track. Without one, the media client sends the source. */
  processedTrack?: MediaStreamTrack
  init(source: FilterSource): Promise<void>
  /** Continues with another device, or with the same device turned on again. */
  restart(source: FilterSource): Promise<void>
  destroy(): Promise<void>
}

export interface FilterSource {
  track: MediaStreamTrack
}
