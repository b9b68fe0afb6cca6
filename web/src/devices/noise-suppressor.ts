import { loadRnnoise, RnnoiseWorkletNode } from '@sapphi-red/web-noise-suppressor'
import wasmUrl from '@sapphi-red/web-noise-suppressor/rnnoise.wasm?url'
import simdWasmUrl from '@sapphi-red/web-noise-suppressor/rnnoise_simd.wasm?url'
// oxlint-disable-next-line import/default -- Vite makes its address the default
import workletUrl from '@sapphi-red/web-noise-suppressor/rnnoiseWorklet.js?url'
import type { FilterSource, TrackFilter } from './track-filter.ts'

/** The only rate that RNNoise was trained for. */
const SAMPLE_RATE = 48_000

/** Takes noise out of a microphone's track by RNNoise, in an audio worklet. */
export class NoiseSuppressor implements TrackFilter {
  readonly name = 'noise-suppression'
  processedTrack?: MediaStreamTrack
  #context: AudioContext | undefined
  #node: RnnoiseWorkletNode | undefined
  #source: MediaStreamAudioSourceNode | undefined
  readonly #onSource: (source: MediaStreamTrack | undefined) => void

  /** @param onSource receives the track that is taken, and undefined when none is any more. */
  constructor(onSource: (source: MediaStreamTrack | undefined) => void) {
    this.#onSource = onSource
  }

  /** Throws where the browser cannot do it: the microphone is then sent as it is. */
  init = async ({ track }: FilterSource): Promise<void> => {
    const context = new AudioContext({ sampleRate: SAMPLE_RATE })
    this.#context = context
    try {
      const [wasmBinary] = await Promise.all([
        loadRnnoise({ url: wasmUrl, simdUrl: simdWasmUrl }),
        context.audioWorklet.addModule(workletUrl),
      ])
      // The worklet is silent where it may not compile: better to find out before it is heard.
      await WebAssembly.compile(wasmBinary)
      this.#node = new RnnoiseWorkletNode(context, { maxChannels: 1, wasmBinary })
      const destination = context.createMediaStreamDestination()
      this.#node.connect(destination)
      this.#listenTo(track)
      await context.resume()
      // A phone call or sleep stops it, and nobody would be heard.
      context.addEventListener('statechange', () => {
        if (context.state !== 'closed') void context.resume().catch(() => {})
      })
      const [processed] = destination.stream.getAudioTracks()
      if (processed !== undefined) this.processedTrack = processed
    } catch (error) {
      await this.destroy()
      throw error
    }
  }

  /** Another microphone, or the same one taken again. */
  restart = async ({ track }: FilterSource): Promise<void> => {
    this.#listenTo(track)
  }

  destroy = async (): Promise<void> => {
    this.#onSource(undefined)
    this.#source?.disconnect()
    this.#node?.destroy()
    if (this.#context?.state !== 'closed') await this.#context?.close()
  }

  #listenTo(track: MediaStreamTrack): void {
    if (this.#context === undefined || this.#node === undefined) return
    this.#source?.disconnect()
    this.#source = this.#context.createMediaStreamSource(new MediaStream([track]))
    this.#source.connect(this.#node)
    this.#onSource(track)
  }
}
