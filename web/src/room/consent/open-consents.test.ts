import type { Person } from '@interview-room/contract/live-stream.ts'
import { expect, test } from 'vitest'
import { openConsentsOf } from './open-consents.ts'

function person(name: string, consents?: Person['consents']): Person {
  const of = { participant_id: null, identity: name, has_hand_raised: false }
  if (consents === undefined) return { ...of, role: 'moderator', display_name: name }
  return { ...of, role: 'panelist', display_name: name, consents }
}

test('names people who have not answered, and people who declined', () => {
  const observation = 'not_asked' as const
  const roster = [
    person('Mori'),
    person('Ana', { recording: 'given', observation }),
    person('Ben', { recording: 'pending', observation }),
    person('Cem', { recording: 'declined', observation }),
    person('Dan', { recording: 'withdrawn', observation }),
    person('Eve', { recording: 'obtained', observation }),
  ]
  expect(openConsentsOf(roster)).toEqual({ pending: ['Ben'], refused: ['Cem', 'Dan'] })
})
