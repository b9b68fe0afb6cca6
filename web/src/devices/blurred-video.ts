/** The camera's picture, painted with a blurred background. */
export interface BlurredVideo {
  readonly track: MediaStreamTrack
  close(): Promise<void>
}

/**
 * Paints the frames of the source. Throws if the browser cannot.
 * @param onFailure is called when painting fails later and the frames stop.
 */
export type OpenBlurredVideo = (
  source: MediaStreamTrack,
  onFailure: () => void,
) => Promise<BlurredVideo>
