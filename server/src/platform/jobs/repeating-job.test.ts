import { pino } from 'pino'
import { describe, expect, test } from 'vitest'
import { repeatingJob, type Turn } from './repeating-job.ts'

const NOW = new Date('2030-01-01T00:00:00Z')

function hourly(turn: Turn) {
  return repeatingJob({ kind: 'look', everySec: 3600, clock: () => NOW, run: async () => turn })
}

const asked = {
  key: 'all',
  payload: {},
  attempt: 1,
  signal: new AbortController().signal,
  log: pino({ level: 'silent' }),
}

describe('a job that repeats itself', () => {
  test.each([
    ['done', '2030-01-01T01:00:00.000Z'],
    ['more', '2030-01-01T00:00:00.000Z'],
  ] as const)('that says %s runs again at %s', async (turn, at) => {
    expect(await hourly(turn).run(asked)).toEqual({ outcome: 'again', at: new Date(at) })
  })

  test('is requested under one key', () => {
    expect(hourly('done').schedule).toEqual({ kind: 'look', key: 'all' })
  })

  test('is never given up, and tried again sooner than it would repeat itself', () => {
    const job = repeatingJob({
      kind: 'look',
      everySec: 5,
      clock: () => NOW,
      run: async () => 'done',
    })
    const pauses = [1, 2, 3, 4, 5, 100].map((failures) => job.retryAfterSec?.(failures, 'all'))
    expect(pauses).toEqual([1, 2, 4, 5, 5, 5])
  })
})
