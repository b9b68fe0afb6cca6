import { describe, expect, test } from 'vitest'
import { createScriptedEngine } from '../../../testing/scripted-engine.ts'
import { Speaker } from './speaker.ts'

const PACKET = Int16Array.from({ length: 320 }, (_, at) => 8000 * Math.sin(at / 3))
const SECOND = 50

function startSpeaking() {
  const engine = createScriptedEngine()
  const speaker = new Speaker({
    open: (options, sink) => engine.open(options, sink),
    language: 'en-US',
    translateTo: null,
    clock: () => new Date(),
    said: () => {},
    streamEnded: () => {},
    failed: () => {},
  })
  const hear = (packets: number) => {
    for (let at = 0; at < packets; at += 1) speaker.hear(PACKET)
  }
  const tick = (times: number) => {
    for (let at = 0; at < times; at += 1) speaker.tick()
  }
  hear(SECOND)
  return { hear, tick, seconds: () => engine.streams[0]?.seconds() ?? 0 }
}

describe('speech whose packets stop', () => {
  test('for less than half a second goes on without silence, as on a network that falters', () => {
    const { hear, tick, seconds } = startSpeaking()
    tick(4)
    hear(SECOND)
    tick(4)
    hear(SECOND)
    expect(seconds()).toBe(3)
  })

  test('for half a second ends in silence, as with a muted microphone', () => {
    const { tick, seconds } = startSpeaking()
    tick(5)
    expect(seconds()).toBeCloseTo(1.8, 3)
  })
})
