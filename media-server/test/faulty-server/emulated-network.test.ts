import { describe, expect, test } from 'vitest'
import { CLEAR_NETWORK, NetworkDirection } from './emulated-network.ts'

const PACKET_BYTES = 1222 // 1250 with the headers of IP and UDP: 10,000 bits

describe('one direction of an emulated network', () => {
  test('passes every packet immediately without settings', () => {
    const network = new NetworkDirection(1)
    expect(network.arrivalOf(PACKET_BYTES, CLEAR_NETWORK, 5)).toBe(5)
  })

  test('delays by a constant', () => {
    const network = new NetworkDirection(1)
    const settings = { ...CLEAR_NETWORK, delayMs: 100 }
    expect([0, 7, 7].map((at) => network.arrivalOf(PACKET_BYTES, settings, at))).toEqual([
      100, 107, 107,
    ])
  })

  test('keeps the order when its delay is removed', () => {
    const network = new NetworkDirection(1)
    expect(network.arrivalOf(PACKET_BYTES, { ...CLEAR_NETWORK, delayMs: 100 }, 0)).toBe(100)
    expect(network.arrivalOf(PACKET_BYTES, CLEAR_NETWORK, 10)).toBe(100)
    expect(network.arrivalOf(PACKET_BYTES, CLEAR_NETWORK, 110)).toBe(110)
  })

  test.each([0.01, 0.05, 0.3])('loses %d of the packets by chance', (lossRatio) => {
    const count = 20_000
    const lost = lostOf(new NetworkDirection(7), { lossRatio, count })
    expect(lost.length / count).toBeCloseTo(lossRatio, 2)
  })

  test('loses the same packets for the same seed, and others for another', () => {
    const plan = { lossRatio: 0.05, count: 1000 }
    const lost = lostOf(new NetworkDirection(7), plan)
    expect(lostOf(new NetworkDirection(7), plan)).toEqual(lost)
    expect(lostOf(new NetworkDirection(8), plan)).not.toEqual(lost)
  })

  test('loses none at 0 and all at 1', () => {
    expect(lostOf(new NetworkDirection(1), { lossRatio: 0, count: 500 })).toEqual([])
    expect(lostOf(new NetworkDirection(1), { lossRatio: 1, count: 500 })).toHaveLength(500)
  })

  test('sends packets one after the other at its rate, and then delays them', () => {
    const network = new NetworkDirection(1)
    const settings = { ...CLEAR_NETWORK, kbps: 1000, delayMs: 50 }
    const arrivals = [0, 0, 0, 100].map((at) => network.arrivalOf(PACKET_BYTES, settings, at))
    expect(arrivals).toEqual([60, 70, 80, 160])
  })

  test('drops packets while 300 ms of its rate are queued, and accepts them when there is room', () => {
    const network = new NetworkDirection(1)
    const settings = { ...CLEAR_NETWORK, kbps: 1000 }
    const arrivals = Array.from({ length: 40 }, () => network.arrivalOf(PACKET_BYTES, settings, 0))
    expect(arrivals.filter((at) => at !== undefined)).toHaveLength(30)
    expect(network.arrivalOf(PACKET_BYTES, settings, 10)).toBe(310)
  })

  test('carries its rate under any load', () => {
    const network = new NetworkDirection(1)
    const settings = { ...CLEAR_NETWORK, kbps: 400 }
    const arrivals = Array.from({ length: 10_000 }, (_, at) =>
      network.arrivalOf(PACKET_BYTES, settings, at),
    )
    const arrived = arrivals.filter((at) => at !== undefined && at <= 10_000)
    expect((arrived.length * 10_000) / 10_000).toBeCloseTo(400, -1)
  })

  test('queues a few packets even at a very low rate', () => {
    const network = new NetworkDirection(1)
    const settings = { ...CLEAR_NETWORK, kbps: 10 }
    const arrivals = Array.from({ length: 10 }, () => network.arrivalOf(PACKET_BYTES, settings, 0))
    expect(arrivals.filter((at) => at !== undefined)).toEqual([1000, 2000, 3000, 4000])
  })

  test('passes nothing while it is blocked', () => {
    const network = new NetworkDirection(1)
    expect(
      network.arrivalOf(PACKET_BYTES, { ...CLEAR_NETWORK, isBlocked: true }, 0),
    ).toBeUndefined()
    expect(network.arrivalOf(PACKET_BYTES, CLEAR_NETWORK, 1)).toBe(1)
  })
})

function lostOf(
  network: NetworkDirection,
  { lossRatio, count }: { lossRatio: number; count: number },
): number[] {
  return Array.from({ length: count }, (_, at) => at).filter(
    (at) => network.arrivalOf(PACKET_BYTES, { ...CLEAR_NETWORK, lossRatio }, at) === undefined,
  )
}
