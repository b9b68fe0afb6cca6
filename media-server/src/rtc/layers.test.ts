import { VideoQuality } from '@livekit/protocol'
import { describe, expect, test } from 'vitest'
import { chooseLayer, DEFAULT_SETTINGS, layerOfRid } from './layers.ts'

const nowMs = 10_000
const aliveMs = 1000

function layer(rid: string, width: number, agoMs = 0) {
  return { index: layerOfRid(rid), width, lastPacketAtMs: nowMs - agoMs }
}

const three = [layer('q', 320), layer('h', 640), layer('f', 1280)]

describe('the layer a subscriber receives', () => {
  test.each([
    ['the best by default', DEFAULT_SETTINGS, 2],
    ['the smallest for low quality', { ...DEFAULT_SETTINGS, quality: VideoQuality.LOW }, 0],
    ['the middle for medium quality', { ...DEFAULT_SETTINGS, quality: VideoQuality.MEDIUM }, 1],
    ['the smallest that fills the size', { ...DEFAULT_SETTINGS, width: 400 }, 1],
    ['exactly the size asked for', { ...DEFAULT_SETTINGS, width: 320 }, 0],
    ['the best for more than there is', { ...DEFAULT_SETTINGS, width: 4000 }, 2],
  ])('is %s', (_name, settings, expected) => {
    expect(chooseLayer(three, settings, { nowMs, aliveMs })).toBe(expected)
  })

  test('is a smaller one while the requested one is not sent', () => {
    const layers = [layer('q', 320), layer('h', 640), layer('f', 1280, 1500)]
    expect(chooseLayer(layers, DEFAULT_SETTINGS, { nowMs, aliveMs })).toBe(1)
  })

  test('is a larger one when nothing smaller is sent', () => {
    const low = { ...DEFAULT_SETTINGS, quality: VideoQuality.LOW }
    expect(chooseLayer([layer('h', 640)], low, { nowMs, aliveMs })).toBe(1)
  })

  test('is undefined while nothing is sent', () => {
    expect(
      chooseLayer([layer('f', 1280, 5000)], DEFAULT_SETTINGS, { nowMs, aliveMs }),
    ).toBeUndefined()
  })
})
