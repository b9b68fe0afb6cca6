import { describe, expect, test } from 'vitest'
import { lineOf } from './line-of.ts'

describe('the line of somebody in the roster', () => {
  test('is what the media side sees, of those who are seen there', () => {
    expect(lineOf({ line: 'good' }, { quality: 'poor' })).toBe('poor')
    expect(lineOf({}, { quality: 'unknown' })).toBe('unknown')
  })

  test('is what their own page told, of those who are not, or not yet', () => {
    expect(lineOf({ line: 'fair' }, undefined)).toBe('fair')
    expect(lineOf({ line: 'lost' }, { quality: 'unknown' })).toBe('lost')
  })

  test('is unknown before their page has told anything', () => {
    expect(lineOf({ line: null }, undefined)).toBe('unknown')
  })

  test('is not shown to whom it is not told', () => {
    expect(lineOf({}, undefined)).toBe(undefined)
  })
})
