import { describe, expect, test } from 'vitest'
import { needsConsent } from './needs-consent.ts'

const asked = (isRecorded: boolean, isAskedForConsent: boolean) => ({
  room: { isRecorded },
  capabilities: { isAskedForConsent },
})

describe('consent is asked for', () => {
  test.each([
    [null, true],
    // Whoever declined and comes again may have thought again.
    ['declined', true],
    ['given', false],
  ] as const)('in a recorded room, after the answer %s: %s', (consent, isAsked) => {
    expect(needsConsent({ ...asked(true, true), consent })).toBe(isAsked)
  })

  test('neither of those who are not recorded nor where nothing is recorded', () => {
    expect(needsConsent({ ...asked(true, false), consent: null })).toBe(false)
    expect(needsConsent({ ...asked(false, true), consent: null })).toBe(false)
  })
})
