import { isAgreed, isRefused } from '@interview-room/contract/consent-rules.ts'
import type { Person } from '@interview-room/contract/live-stream.ts'

/** Panelists present who have not agreed to be recorded, by name. */
export interface OpenRecordingConsents {
  pending: string[]
  refused: string[]
}

export function openConsentsOf(roster: readonly Person[]): OpenRecordingConsents {
  const open = roster.flatMap(({ consents, display_name: name }) =>
    consents === undefined || isAgreed(consents.recording)
      ? []
      : [{ name, state: consents.recording }],
  )
  const [refused, pending] = [true, false].map((wanted) =>
    open.filter(({ state }) => isRefused(state) === wanted).map(({ name }) => name),
  )
  return { pending: pending ?? [], refused: refused ?? [] }
}

/** The consent states of the panelists present. */
export function observationStatesOf(roster: readonly Person[]) {
  return roster.flatMap(({ consents }) => consents ?? [])
}
