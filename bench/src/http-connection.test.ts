import { describe, expect, test } from 'vitest'
import { readAnswer, requestBytes } from './http-connection.ts'

const BODY = '{"name":"面接"}'
const WHOLE = Buffer.from(
  `HTTP/1.1 201 Created\r\nContent-Length: ${Buffer.byteLength(BODY)}\r\nx: y\r\n\r\n${BODY}`,
)

describe('an answer', () => {
  test('is complete with its last byte, however it is split', () => {
    for (let length = 0; length < WHOLE.length; length += 1) {
      expect(readAnswer(WHOLE.subarray(0, length))).toBeUndefined()
    }
    expect(readAnswer(WHOLE)).toEqual({ status: 201, body: BODY })
  })

  test('without a length fails instead of waiting endlessly', () => {
    const chunked = Buffer.from('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n')
    expect(() => readAnswer(chunked)).toThrow('no length')
  })
})

test('a request states the length of its body in bytes', () => {
  const bytes = requestBytes({
    method: 'POST',
    path: '/rooms',
    authorization: 'ApiKey a.b',
    body: { name: '面接' },
  })
  expect(bytes.toString()).toContain(`\r\nContent-Length: ${Buffer.byteLength(BODY)}\r\n`)
  expect(bytes.toString().endsWith(`\r\n\r\n${BODY}`)).toBe(true)
})
