import type { Fact } from '@interview-room/contract/live-stream.ts'
import type { ToolsDictionary } from '../../i18n/tools-ja.ts'

const WORDS = {
  marker: 'marker',
  'help.requested': 'helpRequested',
  'hand.raised': 'handRaised',
  'hand.lowered': 'handLowered',
  'consent.given': 'consentGiven',
  'consent.declined': 'consentDeclined',
  'consent.withdrawn': 'consentWithdrawn',
} as const satisfies Record<Fact['type'], keyof ToolsDictionary['facts']>

export function factWords(text: ToolsDictionary, fact: Fact): string {
  return text.facts[WORDS[fact.type]](fact.display_name)
}

/** What was written along with a marker. */
export function noteOf({ payload }: Fact): string | null {
  const note = payload?.['note']
  return typeof note === 'string' ? note : null
}
