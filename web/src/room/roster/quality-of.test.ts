import { describe, expect, test } from 'vitest'
import { qualityOf } from './quality-of.ts'

describe('the line of somebody in the roster', () => {
  test('is what the media side sees, of those who are seen there', () => {
    expect(qualityOf({ line: 'good' }, { quality: 'poor' })).toBe('poor')
    expect(qualityOf({}, { quality: 'unknown' })).toBe('unknown')
  })

  test('is what their own page told, of those who are not, or not yet', () => {
    expect(qualityOf({ line: 'fair' }, undefined)).toBe('fair')
    expect(qualityOf({ line: 'lost' }, { quality: 'unknown' })).toBe('lost')
  })

  test('is unknown before their page has told anything', () => {
    expect(qualityOf({ line: null }, undefined)).toBe('unknown')
  })

  test('is not shown to whom it is not told', () => {
    expect(qualityOf({}, undefined)).toBe(undefined)
  })
})
