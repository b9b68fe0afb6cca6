import { describe, expect, test } from 'vitest'
import { changedSpeakers, LevelWindow } from './speakers.ts'

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

test('only changed speakers are reported, silent ones as inactive', () => {
  const received = new Map([
    ['PA_same', 0.5],
    ['PA_silent', 0.25],
  ])
  const measured = new Map([
    ['PA_same', 0.5],
    ['PA_new', 1],
  ])
  expect(changedSpeakers(received, measured)).toMatchObject([
    { sid: 'PA_silent', level: 0, active: false },
    { sid: 'PA_new', level: 1, active: true },
  ])
})
