/** Changes a track of a device before it is sent. Its members are those that the media client calls. */
export interface TrackFilter {
  readonly name: string
  /** The changed track. The media client sends the source where there is none. */
  processedTrack?: MediaStreamTrack
  init(source: FilterSource): Promise<void>
  /** Continues with another device, or with the same one turned on again. */
  restart(source: FilterSource): Promise<void>
  destroy(): Promise<void>
}

export interface FilterSource {
  track: MediaStreamTrack
}
