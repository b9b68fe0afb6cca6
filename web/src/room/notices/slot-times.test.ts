import { expect, test } from 'vitest'
import { slotTimes } from './slot-times.ts'

const startsAt = new Date('2026-06-01T10:00:00Z')
const endsAt = new Date('2026-06-01T11:30:00Z')
const at = (time: string) => slotTimes({ startsAt, endsAt }, Date.parse(`2026-06-01T${time}Z`))

test('before its start a slot counts down', () => {
  expect(at('09:58:30')).toEqual({ phase: 'before', wait: '1:30' })
})

test('while it runs, elapsed and remaining time add up', () => {
  expect(at('10:00:00')).toEqual({ phase: 'running', elapsed: '0:00', remaining: '1:30:00' })
  expect(at('10:29:59.900')).toEqual({ phase: 'running', elapsed: '29:59', remaining: '1:00:01' })
})

test('after its end it shows the time since then', () => {
  expect(at('11:30:00')).toEqual({ phase: 'over', over: '0:00' })
  expect(at('11:31:05')).toEqual({ phase: 'over', over: '1:05' })
})
