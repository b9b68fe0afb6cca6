import { expect, test } from 'vitest'
import { identifier, json, raw, Statement, write } from './statement.ts'

const piece = (strings: TemplateStringsArray, ...values: unknown[]) =>
  new Statement(strings, values, () => Promise.reject(new Error('not to be run')))

test('a value becomes a placeholder, in the order in which it stands', () => {
  const at = new Date(0)
  expect(write(piece`select ${1}, ${'a'} where at < ${at} and id = any(${['x']})`)).toEqual({
    text: 'select $1, $2 where at < $3 and id = any($4)',
    values: [1, 'a', at, ['x']],
  })
})

test('keeps the order of values of nested fragments', () => {
  const inner = piece`b = ${2} and ${piece`c = ${3}`}`
  expect(write(piece`select ${1} where ${inner} limit ${4}`)).toEqual({
    text: 'select $1 where b = $2 and c = $3 limit $4',
    values: [1, 2, 3, 4],
  })
})

test('names are quoted, whatever is in them', () => {
  expect(write(piece`select ${identifier('a"b')} ${raw('from t')}`).text).toBe(
    'select "a""b" from t',
  )
})

test('JSON is sent as text, even if it is a list; null is the null of the database', () => {
  expect(write(piece`${json([1, { a: null }])} ${json(null)}`)).toEqual({
    text: '$1 $2',
    values: ['[1,{"a":null}]', null],
  })
})

test('a missing value is refused before anything is sent', () => {
  expect(() => write(piece`select ${undefined}`)).toThrow('undefined')
})
