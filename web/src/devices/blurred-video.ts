/** The camera's picture, drawn again with its background blurred. */
export interface BlurredVideo {
  readonly track: MediaStreamTrack
  close(): Promise<void>
}

/**
 * Draws what the source shows. Throws where the browser cannot.
 * @param onFailure is called when it cannot any more: pictures stop.
 */
export type OpenBlurredVideo = (
  source: MediaStreamTrack,
  onFailure: () => void,
) => Promise<BlurredVideo>
