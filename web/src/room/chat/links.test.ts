import { describe, expect, test } from 'vitest'
import { partsOf } from './links.ts'

const linksIn = (text: string) => partsOf(text).flatMap(({ url }) => url ?? [])

describe('the addresses in a message', () => {
  test.each([
    ['https://example.com/a?b=1#c', ['https://example.com/a?b=1#c']],
    ['See https://example.com/a.', ['https://example.com/a']],
    ['(http://example.com)', ['http://example.com']],
    ['https://example.org/wiki/Go_(game)', ['https://example.org/wiki/Go_(game)']],
    ['資料は「https://example.jp/資料」です。', ['https://example.jp/資料']],
    ['https://a.example, https://b.example!', ['https://a.example', 'https://b.example']],
    ['javascript:alert(1) file:///etc/passwd www.example.com', []],
    ['https:// and http://', []],
    ['no address', []],
  ])('of %j are %j', (text, links) => {
    expect(linksIn(text)).toEqual(links)
    expect(
      partsOf(text)
        .map((part) => part.text)
        .join(''),
    ).toBe(text)
  })
})
