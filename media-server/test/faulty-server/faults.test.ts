import { describe, expect, test } from 'vitest'
import { Faults, readFaults } from './faults.ts'

describe('a fault', () => {
  test('of an egress happens as often as requested, and then no more', () => {
    const faults = new Faults()
    faults.add(readFaults({ egress: { next: 'abort', count: 2 } }))
    const taken = [faults.takeEgress(), faults.takeEgress(), faults.takeEgress()]
    expect(taken.map((fault) => fault?.kind)).toEqual(['abort', 'abort', undefined])
  })

  test('of an egress delays it by the given time, else by 3 to 9 s', () => {
    const faults = new Faults()
    faults.add(readFaults({ egress: { next: 'begin_late', delayMs: 500 } }))
    expect(faults.takeEgress()).toEqual({ kind: 'begin_late', delayMs: 500 })
    faults.add(readFaults({ egress: { next: 'begin_late', count: 50 } }))
    for (let i = 0; i < 50; i++) {
      const { delayMs = 0 } = faults.takeEgress() ?? {}
      expect([delayMs >= 3000, delayMs <= 9000]).toEqual([true, true])
    }
  })

  test('of a webhook applies to its event only', () => {
    const faults = new Faults()
    faults.add(readFaults({ webhooks: { event: 'egress_ended', action: 'delay', delayMs: 50 } }))
    expect(faults.takeWebhook('egress_started')).toBeUndefined()
    expect(faults.takeWebhook('egress_ended')).toMatchObject({ action: 'delay', delayMs: 50 })
    expect(faults.takeWebhook('egress_ended')).toBeUndefined()
  })

  test('of a network applies to the named participant, else to everybody', () => {
    const faults = new Faults()
    faults.add(readFaults({ line: { lossRatio: 0.05, delayMs: 100, kbps: 400 } }))
    faults.add(readFaults({ line: { identity: 'alice', blocked: true } }))
    expect(faults.networkOf('bob')).toEqual({
      lossRatio: 0.05,
      delayMs: 100,
      kbps: 400,
      isBlocked: false,
    })
    expect(faults.networkOf('alice')).toMatchObject({ lossRatio: 0, kbps: null, isBlocked: true })
    faults.clear()
    expect(faults.networkOf('alice')).toBeUndefined()
  })

  test('that was cleared does not happen', () => {
    const faults = new Faults()
    faults.add(readFaults({ egress: { next: 'abort' }, webhooks: { event: '*', action: 'drop' } }))
    faults.clear()
    expect(faults.takeEgress()).toBeUndefined()
    expect(faults.takeWebhook('room_started')).toBeUndefined()
  })

  test.each([
    [null],
    [[]],
    [{ other: 1 }],
    [{ egress: { next: 'explode' } }],
    [{ egress: { next: 'abort', count: -1 } }],
    [{ egress: { next: 'begin_late', delayMs: 1e9 } }],
    [{ webhooks: { event: '', action: 'drop' } }],
    [{ webhooks: { event: '*', action: 'lose' } }],
    [{ webhooks: { event: '*', action: 'delay', delayMs: 1e9 } }],
    [{ line: { lossRatio: 1.1 } }],
    [{ line: { delayMs: 5001 } }],
    [{ line: { kbps: 0 } }],
    [{ line: { identity: '' } }],
    [{ line: { blocked: 'yes' } }],
    [{ line: { loss: 0.1 } }],
  ])('is refused as %j', (body) => {
    expect(() => readFaults(body)).toThrow('faults')
  })
})
