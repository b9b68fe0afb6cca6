import { describe, expect, test } from 'vitest'
import { BlurTransformer } from './blur-transformer.ts'

const FRAME = { displayWidth: 640, displayHeight: 480 }

const take = (timestampUs: number) => ({ painted: timestampUs }) as unknown as VideoFrame

/** A camera with a painter that the test controls. */
function world() {
  const seen = { out: [] as unknown[], failures: 0, closed: 0 }
  const painter = { isWorking: true, paint: () => failUnless(painter.isWorking) }
  const transformer = new BlurTransformer({ painter, take }, () => {
    seen.failures += 1
  })
  const close = () => {
    seen.closed += 1
  }
  const show = (timestamp: number, size = FRAME) => {
    const frame = { ...size, timestamp, close } as unknown as VideoFrame
    transformer.transform(frame, { enqueue: (picture) => seen.out.push(picture) })
  }
  return { seen, painter, transformer, show }
}

function failUnless(isWorking: boolean): void {
  if (!isWorking) throw new Error('no answer of the model')
}

describe('the output for the frames of a camera', () => {
  test('is a painted frame for each one, from the first on', () => {
    const { seen, show } = world()
    show(1)
    show(2)
    expect(seen).toEqual({ out: [{ painted: 1 }, { painted: 2 }], failures: 0, closed: 2 })
  })

  test('drops a frame that could not be painted, and reports a failure when that lasts', () => {
    const { seen, painter, show } = world()
    painter.isWorking = false
    for (let at = 0; at < 9; at += 1) show(at)
    expect(seen).toEqual({ out: [], failures: 0, closed: 9 })
    for (let at = 0; at < 9; at += 1) show(at)
    expect(seen).toEqual({ out: [], failures: 1, closed: 18 })
  })

  test('reports no failure if the painter recovers', () => {
    const { seen, painter, show } = world()
    for (let at = 0; at < 30; at += 1) {
      painter.isWorking = at % 5 === 0
      show(at)
    }
    expect(seen.failures).toBe(0)
    expect(seen.out).toHaveLength(6)
  })

  test('drops an empty frame, and every frame after the end', () => {
    const { seen, transformer, show } = world()
    show(1, { displayWidth: 0, displayHeight: 0 })
    transformer.end()
    show(2)
    expect(seen).toEqual({ out: [], failures: 0, closed: 2 })
  })
})
