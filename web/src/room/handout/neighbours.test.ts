import { describe, expect, test } from 'vitest'
import { neighbours } from './neighbours.ts'

const [one, two, three] = [{ id: 'one' }, { id: 'two' }, { id: 'three' }]
const ordered = [one, two, three] as const

describe('going through the handouts', () => {
  test.each([
    ['one', null, two],
    ['two', one, three],
    ['three', two, null],
  ] as const)('from %s', (shown, previous, next) => {
    expect(neighbours(ordered, shown)).toEqual({ previous, next })
  })

  test('begins with the first one', () => {
    expect(neighbours(ordered, null)).toEqual({ previous: null, next: one })
  })

  test('starts again from the first one if the shown one was removed', () => {
    expect(neighbours(ordered, 'gone')).toEqual({ previous: null, next: one })
  })

  test('leads nowhere without handouts', () => {
    expect(neighbours([], null)).toEqual({ previous: null, next: null })
  })
})
