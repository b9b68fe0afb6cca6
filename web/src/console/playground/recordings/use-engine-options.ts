import { TRANSCRIPTION_ENGINES } from '@interview-room/contract/vocabulary.ts'
import { usePlayground } from '../playground-context.ts'
import { useRecordingsText } from './text.ts'

/** All engines, with a note for the ones that are not configured. */
export function useEngineOptions(): (readonly [string, string])[] {
  const bound = usePlayground().local?.engines
  const { notSetUp } = useRecordingsText().book
  return TRANSCRIPTION_ENGINES.map((engine) => {
    const isBound = bound === undefined || bound.includes(engine)
    return [engine, isBound ? engine : notSetUp(engine)]
  })
}
