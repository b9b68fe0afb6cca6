import { expect, test } from 'vitest'
import { markedPieces } from './marked-pieces.ts'

test('a search marks what it found', () => {
  expect(markedPieces('The label, the LABEL', 'label')).toEqual([
    { text: 'The ', isHit: false },
    { text: 'label', isHit: true },
    { text: ', the ', isHit: false },
    { text: 'LABEL', isHit: true },
  ])
  expect(markedPieces('The label', '')).toEqual([{ text: 'The label', isHit: false }])
})
