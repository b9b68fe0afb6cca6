import { expect, test } from 'vitest'
import { openTabStorage } from '../../live/tab-storage.ts'
import { takeShareLink } from './share-link.ts'

const TOKEN = 'eyJh.eyJi.c2ln'

function visit(hash: string, storage = openTabStorage({ sessionStorage: sessionStorageOf() })) {
  const addresses: string[] = []
  const link = takeShareLink({
    location: { pathname: '/s/1f', search: '', hash },
    history: { replaceState: (_data, _unused, url) => void addresses.push(String(url)) },
    storage,
  })
  return { link, addresses, storage }
}

function sessionStorageOf(): Storage {
  const values = new Map<string, string>()
  return {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
    removeItem: (key: string) => void values.delete(key),
  } as Storage
}

test('a link leaves the address bar, and a reload finds it again', () => {
  const { link, addresses, storage } = visit(`#token=${TOKEN}&asks=password,name`)
  expect(link).toEqual({ id: '1f', token: TOKEN, asks: { password: true, name: true } })
  expect(addresses.join('')).not.toContain(TOKEN)
  expect(visit('', storage).link).toEqual(link)
})

test('a link that asks for nothing', () => {
  expect(visit(`#token=${TOKEN}`).link?.asks).toEqual({ password: false, name: false })
})

test('an address without a token is no link', () => {
  expect(visit('').link).toBeNull()
})
