import { TRANSCRIPTION_LANGUAGES } from '@interview-room/contract/limits.ts'
import type { TranscriptionFailure } from '@interview-room/contract/vocabulary.ts'
import type { Simulation } from '../../../../platform/sandbox/store.ts'
import { type Engine, EngineError } from './engine.ts'
import { foreign } from './languages.ts'
import { following } from './word.ts'

/** A text that nobody mistakes for speech. */
const TEXT = 'This transcript is simulated.'.split(' ')
const AUDIO_MAX_SEC = 24 * 3600

/** The engine of sandbox tenants, under every name. It returns the same words for every audio, or a failure. */
export function createSimulatedEngine({ failureReason }: Simulation): Engine {
  return {
    name: 'simulated',
    capabilities: {
      languages: TRANSCRIPTION_LANGUAGES,
      translatesFrom: foreign(TRANSCRIPTION_LANGUAGES),
      audioMaxSec: AUDIO_MAX_SEC,
      audioMaxBytes: Number.MAX_SAFE_INTEGER,
      speakerLabels: false,
      audioFormat: 'flac',
    },
    async submit({ durationSec }) {
      if (failureReason !== null) {
        const reason = failureReason as TranscriptionFailure
        throw new EngineError('the simulated engine fails', { isTransient: false, reason })
      }
      const wordSec = durationSec / TEXT.length
      const words = TEXT.map((text, at) => ({
        text: following(text, '', 'en-US'),
        startSec: at * wordSec,
        endSec: (at + 1) * wordSec,
        speaker: null,
      }))
      return { kind: 'done', words }
    },
  }
}
