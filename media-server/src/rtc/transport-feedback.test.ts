import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readFeedback } from '../../test/support/read-feedback.ts'
import { encodeFeedback } from './transport-feedback.ts'

const SSRCS = { senderSsrc: 0x0102_0304, mediaSsrc: 0xfffe_fdfc }

describe('transport-wide feedback', () => {
  test('has the header of the draft, with its length in words and padding', () => {
    const message = encodeFeedback({
      ...SSRCS,
      baseSequenceNumber: 0xfffe,
      messageNumber: 7,
      arrivals: [512 + 4, undefined, 512 + 8],
    })
    expect(message.toString('hex')).toBe(
      // Format 15, type 205, 5 words more; the vector 101; 1 ms after 2 × 64 ms, then 1 ms more.
      ['8fcd0005', '01020304', 'fffefdfc', 'fffe0003', '00000207', 'a8000404'].join(''),
    )
  })

  test('encodes the fate of every packet', () => {
    const tick = fc.oneof(fc.integer({ min: 0, max: 20 }), fc.integer({ min: -9000, max: 9000 }))
    const stretch = fc.tuple(fc.option(tick, { nil: undefined }), fc.integer({ min: 1, max: 60 }))
    fc.assert(
      fc.property(
        fc.record({
          first: fc.integer({ min: 0, max: 2 ** 34 }),
          baseSequenceNumber: fc.integer({ min: 0, max: 0xffff }),
          messageNumber: fc.integer({ min: 0, max: 0xff }),
          stretches: fc.array(stretch, { maxLength: 12 }),
        }),
        ({ first, stretches, ...head }) => {
          const arrivals = [first, ...ticksOf(stretches, first)]
          const read = readFeedback(encodeFeedback({ ...SSRCS, ...head, arrivals }))
          expect(read).toEqual({ ...SSRCS, ...head, arrivals: inTime(arrivals) })
        },
      ),
    )
  })
})

// Differences add up, as arrivals do.
function ticksOf(
  stretches: readonly (readonly [number | undefined, number])[],
  first: number,
): (number | undefined)[] {
  let last = first
  return stretches.flatMap(([step, count]) =>
    Array.from({ length: count }, () => {
      if (step === undefined) return undefined
      last = Math.max(0, last + step)
      return last
    }),
  )
}

// The reference time has 24 bits of 64 ms.
function inTime(arrivals: readonly (number | undefined)[]): (number | undefined)[] {
  const [first = 0] = arrivals
  const whole = Math.floor(first / 2 ** 32) * 2 ** 32
  return arrivals.map((tick) => (tick === undefined ? undefined : tick - whole))
}
