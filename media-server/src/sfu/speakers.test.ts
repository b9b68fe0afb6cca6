import { expect, test } from 'vitest'
import { changedSpeakers } from './speakers.ts'

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
