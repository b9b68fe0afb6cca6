import { expect, test } from 'vitest'
import { createApiKeyStore, keyIdOf } from './api-key-store.ts'

test('the API key is kept until it is forgotten', () => {
  const kept = new Map<string, string>()
  const store = createApiKeyStore({
    getItem: (name) => kept.get(name) ?? null,
    setItem: (name, value) => void kept.set(name, value),
    removeItem: (name) => void kept.delete(name),
  })
  expect(store.read()).toBeNull()
  store.keep('key.secret')
  expect(store.read()).toBe('key.secret')
  store.forget()
  expect(kept.size).toBe(0)
})

test.each([
  ['irk_abc.DEF-ghi_1', 'irk_abc'],
  ['no-dot', undefined],
  ['two.dots.here', undefined],
  ['ApiKey key.secret', undefined],
  ['key.', undefined],
  ['../rooms.x', undefined],
])('the public part of %s is %s', (apiKey, keyId) => {
  expect(keyIdOf(apiKey)).toBe(keyId)
})
