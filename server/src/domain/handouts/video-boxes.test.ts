import { describe, expect, test } from 'vitest'
import { SAMPLES } from '../../testing/multipart.ts'
import { VideoBoxes } from './video-boxes.ts'

const FILM = SAMPLES.mp4
const MEDIA_AT = FILM.indexOf('mdat') - 4

function judge(bytes: Buffer, chunkBytes = bytes.length): 'complete' | 'incomplete' | 'broken' {
  const boxes = new VideoBoxes()
  for (let at = 0; at < bytes.length; at += chunkBytes)
    boxes.push(bytes.subarray(at, at + chunkBytes))
  if (boxes.isBroken) return 'broken'
  return boxes.isComplete ? 'complete' : 'incomplete'
}

/** The film with its pictures in a box whose size is written in this way. */
function withMediaOf(size: number, long: Buffer = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(size)
  head.write('mdat', 4, 'latin1')
  return Buffer.concat([FILM.subarray(0, MEDIA_AT), head, long, Buffer.alloc(24, 5)])
}

function longSize(bytes: bigint): Buffer {
  const size = Buffer.alloc(8)
  size.writeBigUInt64BE(bytes)
  return size
}

describe('the boxes of a film', () => {
  test.each([1, 3, 7, 16, 17, 100])('are the same in chunks of %i bytes', (chunkBytes) => {
    expect(judge(FILM, chunkBytes)).toBe('complete')
    expect(judge(FILM.subarray(0, MEDIA_AT + 20), chunkBytes)).toBe('incomplete')
  })

  test.each([
    ['reach the end of the file', withMediaOf(0), 'complete'],
    ['have a long size', withMediaOf(1, longSize(40n)), 'complete'],
    ['have a long size beyond the end', withMediaOf(1, longSize(1n << 40n)), 'incomplete'],
    ['reach beyond the end', withMediaOf(33), 'incomplete'],
    ['end with something else', Buffer.concat([FILM, Buffer.from('<html>')]), 'complete'],
    ['have no pictures', FILM.subarray(0, MEDIA_AT), 'incomplete'],
    ['are none', Buffer.alloc(0), 'incomplete'],
  ])('may %s', (...[, bytes, verdict]) => {
    expect([judge(bytes), judge(bytes, 5)]).toEqual([verdict, verdict])
  })

  test.each([
    ['a web page', Buffer.from('<!doctype html><html></html>')],
    ['an archive', Buffer.from('PK\u0003\u0004 and so on')],
  ])('are not in %s', (_what, bytes) => {
    expect(judge(bytes)).toBe('broken')
  })
})
