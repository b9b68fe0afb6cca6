import { isAgreed, consentStatesOf } from '@interview-room/contract/consent-rules.ts'
import type { LiveTextAudience, Role } from '@interview-room/contract/vocabulary.ts'
import { type Db, readOnOneConnection } from '../../../platform/db/db.ts'
import { findObservation, readConsentTerms } from '../../people/find-consent.ts'
import { LIVE_CHANNEL } from '../../room-log/live-event.ts'
import { findListenedRoom, listEntered } from './live-text-store.ts'
import { readersOf } from './live-text.ts'

/** Hints may be lost, so the state is also read again after this time. */
const POLL_MS = 2000
/** By an older state, nobody counts as agreeing: a withdrawal may not have been heard of. */
const VALID_MS = 6000

interface State {
  audience: LiveTextAudience
  language: string
  translateTo: string | null
  /** People who entered and have agreed, or need not be asked, by identity. */
  speakers: ReadonlyMap<string, { participantId: string | null }>
  isAnybodyInside: boolean
  isObserved: boolean
  readAtMs: number
}

export interface HeardRoom {
  /** True if this person's sound may reach an engine at this moment. */
  mayBeHeard(identity: string): boolean
  participantIdOf(identity: string): string | null
  readonly language: string
  readonly translateTo: string | null
  /** Roles that may read what is said now. */
  readonly readers: readonly Role[]
  readonly isObserved: boolean
  /** Live text is on, and somebody is inside. */
  readonly isWanted: boolean
  stop(): void
}

/**
 * Follows who may be heard in a room, by the hints of its live log: an answer about consent gives one in its own transaction.
 * `changed` is called after each reading.
 */
export async function followHeardRoom(
  db: Db,
  roomId: string,
  changed: () => void,
): Promise<HeardRoom> {
  let state = await read(db, roomId)
  const reading = createSingleFlight(async () => {
    state = await read(db, roomId)
    changed()
  })
  const refresh = () => void reading.wake()

  const poll = setInterval(refresh, POLL_MS).unref()
  const unlisten = db.listen(LIVE_CHANNEL, {
    onNotify: (hinted) => {
      if (hinted === roomId) refresh()
    },
    onListening: refresh,
  })
  const isValid = (): boolean => performance.now() - state.readAtMs < VALID_MS
  return {
    mayBeHeard: (identity) => isValid() && state.audience !== 'off' && state.speakers.has(identity),
    participantIdOf: (identity) => state.speakers.get(identity)?.participantId ?? null,
    get language() {
      return state.language
    },
    get translateTo() {
      return state.translateTo
    },
    get readers() {
      return readersOf(state.audience, state)
    },
    get isObserved() {
      return state.isObserved
    },
    get isWanted() {
      return state.audience !== 'off' && state.isAnybodyInside
    },
    stop() {
      reading.stop()
      clearInterval(poll)
      unlisten()
    },
  }
}

/** Runs again for what is asked for during a run. A run that fails is not repeated before the next time. */
function createSingleFlight(run: () => Promise<void>) {
  const now = { isRunning: false, isAsked: false, isStopped: false }
  return {
    async wake(): Promise<void> {
      now.isAsked = true
      if (now.isRunning) return
      now.isRunning = true
      try {
        while (now.isAsked && !now.isStopped) {
          now.isAsked = false
          await run()
        }
      } catch {
        // The database is away. The state gets too old, and the next hint or poll reads it.
      } finally {
        now.isRunning = false
      }
    },
    stop(): void {
      now.isStopped = true
    },
  }
}

async function read(db: Db, roomId: string): Promise<State> {
  // Before the reading: what changes during it is read again.
  const readAtMs = performance.now()
  return readOnOneConnection(db, async (query) => {
    const room = await findListenedRoom(query, roomId)
    if (room === undefined) return { ...NOBODY, readAtMs }
    const terms = await readConsentTerms(query, roomId)
    const entered = await listEntered(query, roomId)
    const { isOpen: isObserved } = await findObservation(query, roomId, terms)
    const speakers = entered.filter(({ role, isGuest, transcription = null }) => {
      const answers = { recording: null, observation: null, transcription }
      const { transcription: state = 'not_asked' } = consentStatesOf(terms, role, answers)
      // Guests are asked for nothing, and have agreed to nothing.
      return !isGuest && isAgreed(state)
    })
    return {
      ...room,
      speakers: new Map(speakers.map((each) => [each.identity, each])),
      isAnybodyInside: entered.some(({ isInside }) => isInside),
      isObserved,
      readAtMs,
    }
  })
}

const NOBODY: Omit<State, 'readAtMs'> = {
  audience: 'off',
  language: '',
  translateTo: null,
  speakers: new Map(),
  isAnybodyInside: false,
  isObserved: false,
}
