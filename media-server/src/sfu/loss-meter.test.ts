import { describe, expect, test } from 'vitest'
import { LossMeter } from './loss-meter.ts'

const CYCLE = 0x1_0000

function send(meter: LossMeter, numbers: Iterable<number>): void {
  for (const number of numbers) meter.noteSent(number & 0xffff)
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, at) => from + at)
}

describe('the loss of a stream between two reports', () => {
  test('is the share of sent packets that the receiver lacks', () => {
    const meter = new LossMeter()
    send(meter, range(0, 100))
    expect(meter.noteReport({ highestSequence: 99, packetsLost: 0 })).toBeUndefined()
    send(meter, range(100, 200))
    const passed = meter.noteReport({ highestSequence: 199, packetsLost: 30 })
    expect(passed).toEqual({ sent: 100, lost: 30 })
  })

  test('leaves out packets that had not come from the publisher either', () => {
    const meter = new LossMeter()
    send(meter, range(0, 100))
    meter.noteReport({ highestSequence: 99, packetsLost: 0 })
    send(meter, range(120, 200))
    const passed = meter.noteReport({ highestSequence: 199, packetsLost: 25 })
    expect(passed).toEqual({ sent: 80, lost: 5 })
  })

  test('is the same where numbers wrap, and packets come late', () => {
    const meter = new LossMeter()
    send(meter, range(65_500, 65_530))
    meter.noteReport({ highestSequence: 65_529, packetsLost: 0 })
    send(meter, [65_531, 65_530, ...range(65_532, 65_600)])
    const passed = meter.noteReport({ highestSequence: CYCLE + 63, packetsLost: 7 })
    expect(passed).toEqual({ sent: 70, lost: 7 })
  })

  test('is zero when retransmissions reduce the count of lost packets', () => {
    const meter = new LossMeter()
    send(meter, range(0, 100))
    meter.noteReport({ highestSequence: 99, packetsLost: 2 })
    send(meter, range(100, 150))
    const minusOne = 0xff_ff_ff
    const passed = meter.noteReport({ highestSequence: 149, packetsLost: minusOne })
    expect(passed).toEqual({ sent: 50, lost: 0 })
  })
})
