import { loadRnnoise, RnnoiseWorkletNode } from '@sapphi-red/web-noise-suppressor'
import wasmUrl from '@sapphi-red/web-noise-suppressor/rnnoise.wasm?url'
import simdWasmUrl from '@sapphi-red/web-noise-suppressor/rnnoise_simd.wasm?url'
// oxlint-disable-next-line import/default -- Vite makes its address the default
import workletUrl from '@sapphi-red/web-noise-suppressor/rnnoiseWorklet.js?url'
import type { FilterSource, TrackFilter } from './track-filter.ts'

/** RNNoise was trained only for this rate. */
const SAMPLE_RATE = 48_000

/** Suppresses the noise of a microphone's track with RNNoise, in an audio worklet. */
export class NoiseSuppressor implements TrackFilter {
  readonly name = 'noise-suppression'
  processedTrack?: MediaStreamTrack
  #context: AudioContext | undefined
  #node: RnnoiseWorkletNode | undefined
  #source: MediaStreamAudioSourceNode | undefined
  readonly #onSource: (source: MediaStreamTrack | undefined) => void

  /** @param onSource receives the original track, and undefined at the end. */
  constructor(onSource: (source: MediaStreamTrack | undefined) => void) {
    this.#onSource = onSource
  }

  /** Throws if the browser cannot do it. The original microphone track is sent then. */
  init = async ({ track }: FilterSource): Promise<void> => {
    const context = new AudioContext({ sampleRate: SAMPLE_RATE })
    this.#context = context
    try {
      const [wasmBinary] = await Promise.all([
        loadRnnoise({ url: wasmUrl, simdUrl: simdWasmUrl }),
        context.audioWorklet.addModule(workletUrl),
      ])
      // A worklet that may not compile outputs silence. Find that out before it is used.
      await WebAssembly.compile(wasmBinary)
      this.#node = new RnnoiseWorkletNode(context, { maxChannels: 1, wasmBinary })
      const destination = context.createMediaStreamDestination()
      this.#node.connect(destination)
      this.#listenTo(track)
      await context.resume()
      // A phone call or sleep suspends the context, and nobody would be heard.
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

  /** The source is another microphone, or the same one used again. */
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
