import { describe, expect, test } from 'vitest'
import { qualityOf } from './quality-of.ts'

describe('the connection quality of somebody in the roster', () => {
  test('is that of the media connection, where there is one', () => {
    expect(qualityOf({ line: 'good' }, { quality: 'poor' })).toBe('poor')
    expect(qualityOf({}, { quality: 'unknown' })).toBe('unknown')
  })

  test('is that reported by their own page, where there is no media connection yet', () => {
    expect(qualityOf({ line: 'fair' }, undefined)).toBe('fair')
    expect(qualityOf({ line: 'lost' }, { quality: 'unknown' })).toBe('lost')
  })

  test('is unknown before their page has reported anything', () => {
    expect(qualityOf({ line: null }, undefined)).toBe('unknown')
  })

  test('is not shown to those who may not know it', () => {
    expect(qualityOf({}, undefined)).toBe(undefined)
  })
})
