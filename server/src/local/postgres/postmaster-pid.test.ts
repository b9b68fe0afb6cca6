import { describe, expect, test } from 'vitest'
import { isPostgresOn, parsePostmasterPid } from './postmaster-pid.ts'

describe('postmaster.pid', () => {
  test('reports process, port and readiness', () => {
    const text = '4711\n/data/postgres\n1795000000\n41653\n\n127.0.0.1\n  1 2\nready   \n'
    expect(parsePostmasterPid(text)).toEqual({ pid: 4711, port: 41_653, isReady: true })
  })

  test('that is cut short or empty names no process', () => {
    expect(parsePostmasterPid('')).toBeUndefined()
    expect(parsePostmasterPid('nonsense\n')).toBeUndefined()
  })

  test('may name a running process that is not a database, because its id was reused', () => {
    expect(isPostgresOn(process.pid, '/data/postgres')).toBe(false)
  })
})
