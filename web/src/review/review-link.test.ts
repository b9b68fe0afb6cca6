import { describe, expect, test } from 'vitest'
import { addressOf, hasToken, placeIn, takeReviewLink } from './review-link.ts'

const TOKEN = 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJyLTEifQ.c2lnbmF0dXJl'
const PATH = '/v/019a3083-9b2f-7d40-a1c2-5be07fd2a9c4'

function open(hash: string, { kept = new Map<string, string>(), isKept = true } = {}) {
  const written: string[] = []
  const storage = {
    isKept,
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  }
  const history = { replaceState: (_: unknown, __: string, to: string) => void written.push(to) }
  const location = { pathname: PATH, search: '', hash }
  return { link: takeReviewLink({ location, history, storage }), written, kept }
}

describe('the link of a review page', () => {
  test.each([`#${TOKEN}`, `#token=${TOKEN}`, `#${TOKEN}.`])(
    'gives its token, and takes it out of the address bar: %s',
    (hash) => {
      const { link, written } = open(hash)
      expect(link.token).toBe(TOKEN)
      expect(written).toEqual([PATH])
    },
  )

  test('opens at the second that it names, which stays in the address', () => {
    const { link, written } = open(`#${TOKEN}&t=754`)
    expect(link.token).toBe(TOKEN)
    expect(link.place).toEqual({ part: null, sec: 754 })
    expect(written.at(-1)).toBe('#t=754')
  })

  test('without a token is the one that this tab stored for the same path', () => {
    const { kept } = open(`#${TOKEN}`)
    expect(open('#t=12.5', { kept }).link).toEqual({
      token: TOKEN,
      place: { part: null, sec: 12.5 },
      isAddressFree: true,
    })
    expect(open('#t=12.5').link.token).toBeNull()
  })

  test('stays in the address if the browser stores nothing', () => {
    const { link, written } = open(`#${TOKEN}&t=754`, { isKept: false })
    expect(link.isAddressFree).toBe(false)
    expect(written).toEqual([])
  })
})

describe('a place in the address', () => {
  test.each([
    ['#t=754', { part: null, sec: 754 }],
    ['#part=2&t=0', { part: 2, sec: 0 }],
    ['#part=0&t=-4', { part: null, sec: null }],
    ['#t=soon', { part: null, sec: null }],
    ['', { part: null, sec: null }],
  ])('%s is read', (hash, place) => {
    expect(placeIn(hash)).toEqual(place)
  })

  test('is written to a tenth of a second', () => {
    expect(addressOf({ part: 2, sec: 12.345 })).toBe('#part=2&t=12.3')
    expect(addressOf({ part: null, sec: 754 })).toBe('#t=754')
  })

  test('is not mistaken for a token', () => {
    expect([`#${TOKEN}`, `#token=${TOKEN}`, '#t=754', '#t=12.5'].map(hasToken)).toEqual([
      true,
      true,
      false,
      false,
    ])
  })
})
