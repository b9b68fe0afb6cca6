import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readFeedback } from '../../test/support/read-feedback.ts'
import { ArrivalLog } from './arrival-log.ts'

const SSRCS = { senderSsrc: 1, mediaSsrc: 2 }
const DATAGRAM_MAX_BYTES = 1200

describe('the arrival log', () => {
  test('reports each packet once, in quarter milliseconds', () => {
    const log = logOf([10, 100.1], [11, 105.26])
    expect(read(log)).toEqual([{ base: 10, messageNumber: 0, ms: [100, 105.25] }])
    expect(read(log)).toEqual([])
  })

  test('leaves out lost packets, also between two messages', () => {
    const log = logOf([10, 100], [12, 110])
    expect(read(log)).toEqual([{ base: 10, messageNumber: 0, ms: [100, undefined, 110] }])
    log.note(15, 120)
    expect(read(log)).toEqual([{ base: 13, messageNumber: 1, ms: [undefined, undefined, 120] }])
  })

  test('continues when the 16-bit numbers wrap', () => {
    const log = logOf([65_535, 1], [0, 2], [1, 3])
    expect(read(log)).toEqual([{ base: 65_535, messageNumber: 0, ms: [1, 2, 3] }])
    log.note(2, 4)
    expect(read(log)).toEqual([{ base: 2, messageNumber: 1, ms: [4] }])
  })

  test('sorts the arrivals, and reports a late packet in a second message', () => {
    const log = logOf([12, 110], [10, 100], [11, 120], [11, 130])
    expect(read(log)).toMatchObject([{ base: 10, ms: [100, 120, 110] }])
    log.note(14, 140)
    expect(read(log)).toMatchObject([{ base: 13, ms: [undefined, 140] }])
    log.note(13, 150)
    log.note(15, 151)
    expect(read(log)).toMatchObject([{ base: 13, ms: [150, undefined, 151] }])
    log.note(16, 152)
    expect(read(log)).toMatchObject([{ base: 16, ms: [152] }])
  })

  test('starts another message when arrivals are further apart than one can express', () => {
    const log = logOf([10, 0], [11, 9000])
    expect(read(log)).toEqual([
      { base: 10, messageNumber: 0, ms: [0] },
      { base: 11, messageNumber: 1, ms: [9000] },
    ])
  })

  test('does not report thousands of losses when the sender restarts its numbers', () => {
    const log = logOf([10, 100], [5000, 110])
    expect(read(log)).toMatchObject([
      { base: 10, ms: [100] },
      { base: 5000, ms: [110] },
    ])
  })

  test('reports everything, in messages that fit into a datagram, despite loss, delay and bursts', () => {
    const packet = fc.record({
      isLost: fc.boolean(),
      stepMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 40 })),
      isCollected: fc.integer({ min: 0, max: 20 }).map((dice) => dice === 0),
    })
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 0xffff }),
        fc.array(packet, { minLength: 1, maxLength: 1500 }),
        (first, packets) => {
          const log = new ArrivalLog()
          const sent = new Map<number, number>()
          const received = new Map<number, number>()
          let nowMs = 1000
          for (const [at, { isLost, stepMs, isCollected }] of packets.entries()) {
            nowMs += stepMs
            const number = (first + at) & 0xffff
            if (!isLost) {
              log.note(number, nowMs)
              sent.set(number, nowMs)
            }
            if (isCollected) collect(log, received)
          }
          collect(log, received)
          expect(received).toEqual(sent)
        },
      ),
      { numRuns: 50 },
    )
  })
})

function logOf(...packets: [number: number, atMs: number][]): ArrivalLog {
  const log = new ArrivalLog()
  for (const [number, atMs] of packets) log.note(number, atMs)
  return log
}

function read(log: ArrivalLog) {
  return log.take(SSRCS).map((message) => {
    expect(message.length).toBeLessThan(DATAGRAM_MAX_BYTES)
    const { baseSequenceNumber, messageNumber, arrivals } = readFeedback(message)
    const ms = arrivals.map((tick) => (tick === undefined ? undefined : tick / 4))
    return { base: baseSequenceNumber, messageNumber, ms }
  })
}

function collect(log: ArrivalLog, received: Map<number, number>): void {
  for (const { base, ms } of read(log)) {
    for (const [at, atMs] of ms.entries()) {
      if (atMs !== undefined) received.set((base + at) & 0xffff, atMs)
    }
  }
}
