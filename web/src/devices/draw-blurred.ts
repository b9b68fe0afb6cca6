import { ProcessorWrapper, type VideoTrackTransformer } from '@livekit/track-processors'
import { BlurPainter } from './blur-painter.ts'
import { BlurTransformer } from './blur-transformer.ts'
import type { BlurredVideo } from './blurred-video.ts'
import { PersonFinder } from './person-finder.ts'

type NoOptions = Record<string, never>
type Kind = Parameters<ProcessorWrapper<NoOptions>['init']>[0]['kind']
/** A member of an enum of the media client, which this folder does not import. */
const VIDEO = 'video' as unknown as Kind

/** Finds people in the frames of a camera, and blurs the rest. */
export async function drawBlurred(
  source: MediaStreamTrack,
  onFailure: () => void,
): Promise<BlurredVideo> {
  const finder = await PersonFinder.open(onFailure)
  const transformer = paintingBy(finder, onFailure)
  // Browsers without streams of frames paint on a canvas, which the library finds by this name.
  const processor = new ProcessorWrapper<NoOptions>(transformer, `background-blur ${source.id}`)
  const element = elementOf(source)
  const end = () => {
    element.srcObject = null
    finder.close()
  }
  try {
    await processor.init({ kind: VIDEO, track: source, element })
    if (processor.processedTrack === undefined) throw new Error('no track')
  } catch (error) {
    // The library does not close the parts of a processor that failed to start.
    processor.trackGenerator?.stop()
    processor.displayCanvas?.remove()
    end()
    throw error
  }
  return {
    track: processor.processedTrack,
    close: async () => {
      await processor.destroy()
      end()
    },
  }
}

/** The transformer that the library calls with each frame. */
function paintingBy(finder: PersonFinder, onFailure: () => void): VideoTrackTransformer<NoOptions> {
  let painting: BlurTransformer | undefined
  const transform: VideoTrackTransformer<NoOptions>['transform'] = (frame, out) =>
    painting?.transform(frame, out)
  return {
    transformer: new TransformStream<VideoFrame, VideoFrame>({ transform }),
    transform,
    init: ({ outputCanvas }) => {
      const painter = new BlurPainter(outputCanvas, (square) => finder.find(square))
      const take = (timestamp: number) => new VideoFrame(outputCanvas, { timestamp })
      painting = new BlurTransformer({ painter, take }, onFailure)
    },
    destroy: () => painting?.end(),
    restart: () => {},
    update: () => {},
  }
}

/** A video element with the camera, for browsers that read frames from a video. */
function elementOf(source: MediaStreamTrack): HTMLVideoElement {
  const element = document.createElement('video')
  if (ProcessorWrapper.hasModernApiSupport) return element
  element.muted = true
  element.playsInline = true
  element.srcObject = new MediaStream([source])
  // The library tries again if playing is refused.
  void element.play().catch(() => {})
  return element
}
