/** A piece of speech as an engine hears it. Times are seconds since `open`, in the sound that was pushed. */
export interface LiveText {
  segment: number
  text: string
  isFinal: boolean
  startSec: number
  endSec: number
  language: string
  isTranslation: boolean
}

export interface LiveSink {
  text(text: LiveText): void
  /** Once; nothing follows. */
  ended(error: Error | null): void
}

export interface LiveStream {
  /** 16 kHz, mono, signed 16 bit. */
  push(pcm: Int16Array): void
  /** The rest comes as finals, then `ended`. */
  end(): void
}

export interface LiveEngine {
  readonly name: string
  open(
    options: { language: string; translateTo: string | null; signal: AbortSignal },
    sink: LiveSink,
  ): LiveStream
}
