import { describe, expect, test } from 'vitest'
import { createSecretBox } from './secret-box.ts'

const [OLD, NEW, FOREIGN] = [1, 2, 3].map((byte) => Buffer.alloc(32, byte)) as [
  Buffer,
  Buffer,
  Buffer,
]
const rotating = createSecretBox(NEW, OLD)
const open = (key: Buffer, sealed: Uint8Array) => createSecretBox(key).open(sealed)

describe('a key that has a previous one', () => {
  test('opens secrets of either key, and seals with the current one', () => {
    expect(rotating.open(createSecretBox(OLD).seal('secret'))).toBe('secret')
    expect(rotating.open(createSecretBox(NEW).seal('secret'))).toBe('secret')
    expect(open(NEW, rotating.seal('secret'))).toBe('secret')
    expect(() => open(OLD, rotating.seal('secret'))).toThrow('unable to authenticate')
  })

  test('reseals only secrets of the previous key', () => {
    const resealed = rotating.reseal(createSecretBox(OLD).seal('secret'))
    expect(open(NEW, resealed ?? Buffer.alloc(0))).toBe('secret')
    expect(rotating.reseal(createSecretBox(NEW).seal('secret'))).toBeUndefined()
  })

  test('opens and reseals nothing that another key sealed', () => {
    const foreign = createSecretBox(FOREIGN).seal('secret')
    expect(() => rotating.open(foreign)).toThrow('unable to authenticate')
    expect(() => rotating.reseal(foreign)).toThrow('unable to authenticate')
    expect(() => createSecretBox(NEW).reseal(foreign)).toThrow('unable to authenticate')
  })
})
