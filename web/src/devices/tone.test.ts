import { expect, test } from 'vitest'
import { chime } from './tone.ts'

test('the chime is a WAV file whose header has its true length', async () => {
  const sound = chime()
  const view = new DataView(await sound.arrayBuffer())
  expect(sound.type).toBe('audio/wav')
  expect(view.getUint32(4, true)).toBe(sound.size - 8)
  expect(view.getUint32(40, true)).toBe(sound.size - 44)
})
