import type { Logger } from 'pino'
import type { Deps } from '../../../platform/ports/deps.ts'
import type { RecordingKey } from '../recordings/recording.ts'
import type { Engine } from './engines/engine.ts'
import type { Source, TranscriptionKey } from './store.ts'
import type { Transcription } from './transcription.ts'

export type TranscribeDeps = Pick<Deps, 'db' | 'storage' | 'clock' | 'config'>

/** A running transcription, from the view of the worker that holds its job. */
export interface Work {
  keys: RecordingKey & TranscriptionKey
  transcription: Transcription
  engine: Engine
  source: Source
  signal: AbortSignal
  log: Logger
}
