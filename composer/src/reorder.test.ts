import { describe, expect, test } from 'vitest'
import type { LoggedPacket } from './capture/rtp-log.ts'
import { Reorderer } from './reorder.ts'

function packet(sequenceNumber: number, atMs = 0, timestamp = 0): LoggedPacket {
  const head = { kind: 'packet', ssrc: 1, layer: 0, isLast: false, level: 127 } as const
  return {
    ...head,
    sequenceNumber: sequenceNumber & 0xffff,
    atMs,
    timestamp,
    payload: Buffer.of(1),
  }
}

function run(packets: LoggedPacket[]) {
  const order = new Reorderer()
  return [...packets.flatMap((one) => order.push(one)), ...order.flush()]
}

const numbers = (packets: LoggedPacket[]) =>
  run(packets).map(({ packet: { sequenceNumber } }) => sequenceNumber)

describe('packets', () => {
  test('come in the order they were sent, even when the numbers wrap', () => {
    const sent = [65_533, 65_534, 0, 65_535, 2, 1].map((number) => packet(number))
    expect(numbers(sent)).toEqual([65_533, 65_534, 65_535, 0, 1, 2])
  })

  test('that come twice or too late are left out', () => {
    expect(numbers([packet(5), packet(6), packet(5), packet(4), packet(7)])).toEqual([5, 6, 7])
  })

  test('after a missing one are released after a while, marked as following a gap', () => {
    const order = new Reorderer()
    order.push(packet(1, 0))
    expect(order.push(packet(3, 10))).toEqual([])
    const given = order.push(packet(4, 2000))
    expect(given).toMatchObject([
      { packet: { sequenceNumber: 3 }, isAfterGap: true },
      { packet: { sequenceNumber: 4 }, isAfterGap: false },
    ])
  })

  test('have timestamps that never wrap', () => {
    const given = run([
      packet(1, 0, 0xffff_ff00),
      packet(2, 0, 0x0000_0100),
      packet(3, 0, 0x0000_0200),
    ])
    expect(given.map(({ timestamp }) => timestamp - 0xffff_ff00)).toEqual([0, 0x200, 0x300])
  })

  test('continue after a silence in which the numbers wrapped', () => {
    const order = new Reorderer()
    const before = [packet(100, 0), packet(102, 20)].flatMap((one) => order.push(one))
    const after = [packet(40_000, 900_000), packet(40_001, 900_020)].flatMap((one) =>
      order.push(one),
    )
    expect([...before, ...after].map((one) => [one.packet.sequenceNumber, one.isAfterGap])).toEqual(
      [
        [100, false],
        [102, true],
        [40_000, true],
        [40_001, false],
      ],
    )
  })

  test('that are consecutive, but far apart in time, leave no gap', () => {
    const given = run([packet(7, 0), packet(8, 60_000)])
    expect(given.map(({ isAfterGap }) => isAfterGap)).toEqual([false, false])
  })
})
