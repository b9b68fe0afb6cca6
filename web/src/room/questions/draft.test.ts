import { expect, test } from 'vitest'
import { putBack } from './draft.ts'

const FAILED = { id: 'first', text: 'Why this one?' }

test('a question that was not saved returns to the field as the same question', () => {
  expect(putBack(FAILED, { id: 'next', text: '' })).toEqual(FAILED)
})

test('text that was written meanwhile follows it, as a new question', () => {
  expect(putBack(FAILED, { id: 'next', text: 'And the price' })).toEqual({
    id: 'next',
    text: 'Why this one? And the price',
  })
})
