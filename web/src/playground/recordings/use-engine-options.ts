import { TRANSCRIPTION_ENGINES } from '@interview-room/contract/vocabulary.ts'
import { createContext, useContext } from 'react'
import type { LocalState } from '../playground-api.ts'
import { useRecordingsText } from './text.ts'

/** Engines that are configured; undefined until the service has answered. */
export const BoundEngines = createContext<LocalState['engines'] | undefined>(undefined)

/** Every engine, with a note where it is not configured. */
export function useEngineOptions(): (readonly [string, string])[] {
  const bound = useContext(BoundEngines)
  const { notSetUp } = useRecordingsText().transcript
  return TRANSCRIPTION_ENGINES.map((engine) => {
    const isBound = bound === undefined || bound.includes(engine)
    return [engine, isBound ? engine : notSetUp(engine)]
  })
}
