import { describe, expect, test } from 'vitest'
import { qualityOf } from './quality-of.ts'

describe('the connection quality of a person in the roster', () => {
  test('comes from the media connection, if there is one', () => {
    expect(qualityOf({ line: 'good' }, { quality: 'poor' })).toBe('poor')
    expect(qualityOf({}, { quality: 'unknown' })).toBe('unknown')
  })

  test('comes from the report of their own page, if there is no media connection yet', () => {
    expect(qualityOf({ line: 'fair' }, undefined)).toBe('fair')
    expect(qualityOf({ line: 'lost' }, { quality: 'unknown' })).toBe('lost')
  })

  test('is unknown before their page has sent a report', () => {
    expect(qualityOf({ line: null }, undefined)).toBe('unknown')
  })

  test('is not shown to roles that may not know it', () => {
    expect(qualityOf({}, undefined)).toBe(undefined)
  })
})
