import { describe, expect, test } from 'vitest'
import { needsConsent } from './needs-consent.ts'

const ASKED = { capabilities: { isAskedForConsent: true } }

describe('consent is asked for', () => {
  test.each([
    [null, true],
    // Whoever declined and comes again may have thought again.
    ['declined', true],
    ['given', false],
  ] as const)('after the answer %s: %s', (consent, isAsked) => {
    expect(needsConsent({ ...ASKED, consent })).toBe(isAsked)
  })

  test('not of staff and of those whom nobody sees', () => {
    expect(needsConsent({ capabilities: { isAskedForConsent: false }, consent: null })).toBe(false)
  })
})
