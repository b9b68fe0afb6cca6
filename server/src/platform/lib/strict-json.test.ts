import {
  anything,
  assert,
  boolean,
  constant,
  double,
  maxSafeInteger,
  property,
  string,
} from 'fast-check'
import { describe, expect, test } from 'vitest'
import { JsonError, parseStrictJson } from './strict-json.ts'

const parse = (text: string) => parseStrictJson(Buffer.from(text))

describe('a JSON body', () => {
  test.each([
    ['{"a":1,"b":[true,false,null],"c":{"d":"x"}}'],
    [' \t\r\n{ "a" : [ ] , "b" : { } } \n'],
    ['"\\u00e9\\n\\"\\\\\\/ 日本語 🎥"'],
    ['[0,-1,1.5,1e3,-2.5E-3,9007199254740991]'],
  ])('%s reads like JSON.parse does', (text) => {
    expect(parse(text)).toEqual(JSON.parse(text))
  })

  // contract: Bodies and queries › Strict JSON refuses nothing that JSON allows otherwise
  test('of any value reads like JSON.parse does', () => {
    const text = string({ unit: 'grapheme' }).filter((one) => !one.includes('\0'))
    const value = anything({
      maxDepth: 5,
      key: text,
      values: [text, boolean(), maxSafeInteger(), double({ min: -1e9, max: 1e9 }), constant(null)],
    })
    assert(
      property(value, (expected) => {
        const written = JSON.stringify(expected)
        expect(JSON.stringify(parse(written))).toBe(JSON.stringify(JSON.parse(written)))
      }),
    )
  })

  test.each([
    ['empty', ''],
    ['only space', ' \n'],
  ])('that is %s is no body', (_name, text) => {
    expect(parse(text)).toBeUndefined()
  })

  // contract: Bodies and queries › Strict JSON: unsafe integers, infinite numbers, depth over 32,
  //   trailing text
  test.each([
    ['an unclosed object', '{"a":1'],
    ['a trailing comma', '{"a":1,}'],
    ['a trailing comma in an array', '[1,]'],
    ['single quotes', "{'a':1}"],
    ['a bare word', 'undefined'],
    ['text after the value', '{} {}'],
    ['a comment', '{/* */}'],
    ['a leading zero', '[01]'],
    ['NaN', '[NaN]'],
    ['a line break in a string', '"a\nb"'],
    ['a byte order mark', '\uFEFF{}'],
    ['a duplicate key', '{"a":1,"a":2}'],
    ['a duplicate key in two spellings', '{"a":1,"\\u0061":2}'],
    ['a duplicate key deep inside', '{"x":[{"a":1,"a":1}]}'],
    ['NUL', '"a\\u0000b"'],
    ['NUL in a key', '{"a\\u0000":1}'],
    ['a lone surrogate', '"\\ud800"'],
    ['an integer that is not exact', '9007199254740993'],
    ['an integer that is not exact, written with an exponent', '1e300'],
    ['an infinite number', '1e400'],
    ['33 levels', `${'['.repeat(34)}${']'.repeat(34)}`],
    ['a million levels', '['.repeat(1_000_000)],
  ])('with %s is refused', (_name, text) => {
    expect(() => parse(text)).toThrow(JsonError)
  })

  test('that is not UTF-8 is refused', () => {
    expect(() => parseStrictJson(Buffer.from([0x22, 0xff, 0x22]))).toThrow(JsonError)
  })

  test('may have as many members and items as the caller allows', () => {
    const text = '{"a":[1,2],"b":{"c":3}}'
    expect(parseStrictJson(Buffer.from(text), 5)).toEqual(JSON.parse(text))
    expect(() => parseStrictJson(Buffer.from(text), 4)).toThrow('must have at most 4 members')
  })

  test('may be 32 levels deep', () => {
    const text = `${'['.repeat(33)}${']'.repeat(33)}`
    expect(parse(text)).toEqual(JSON.parse(text))
  })

  test('with __proto__ keeps it as a plain member and changes no prototype', () => {
    const body = parse('{"__proto__":{"isAdmin":true},"constructor":1}') as object
    expect(Object.getPrototypeOf(body)).toBe(Object.prototype)
    expect(Object.hasOwn(body, '__proto__')).toBe(true)
    expect('isAdmin' in body).toBe(false)
  })

  test('with minus zero carries a plain zero', () => {
    expect(Object.is(parse('-0'), 0)).toBe(true)
  })
})
