import { describe, expect, test } from 'vitest'
import { LevelWindow } from './levels.ts'

describe('a window of audio levels', () => {
  test('is silent when the voice was heard for too short', () => {
    const window = new LevelWindow()
    for (const level of [20, 127, 127, 127]) window.observe(level)
    expect(window.take()).toBe(0)
  })

  test('gives the loudness in eighths, and starts over', () => {
    const window = new LevelWindow()
    for (const level of [6, 12, 20]) window.observe(level)
    expect(window.take()).toBe(0.625)
    expect(window.take()).toBe(0)
  })
})
