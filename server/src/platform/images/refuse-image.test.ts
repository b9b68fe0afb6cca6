import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { useControlPlane } from '../../testing/control-plane.ts'
import { HOSTILE_IMAGES, IMAGES } from '../../testing/images.ts'
import { said, upload } from '../../testing/live-chat.ts'
import { useLiveRooms } from '../../testing/live-room.ts'
import { file, sendForm } from '../../testing/multipart.ts'
import { createImageDecoder } from './image-decoder.ts'

const plane = useControlPlane()
const live = useLiveRooms(plane)

type Kind = keyof typeof IMAGES
const KINDS = Object.keys(IMAGES) as Kind[]
const MIMES = { png: 'png', jpg: 'jpeg', gif: 'gif', webp: 'webp', bmp: 'bmp', tiff: 'tiff' }
/** Some kinds are accepted only for one use. */
const isHandout = (kind: Kind) => kind !== 'webp'
const isAttachment = (kind: Kind) => kind !== 'tiff'

async function register(kind: Kind, body: Buffer) {
  const { session } = await plane.book()
  const parts = [
    ['file', file(`a.${kind}`, body)],
    ['content_type', 'image'],
  ] as const
  return sendForm(plane.tenant, `POST /sessions/${session.id}/handouts`, { parts })
}

async function send(kind: Kind, body: Buffer) {
  const guest = await live.enter((await plane.book({ startsInMin: 1 })).id, 'moderator')
  const mime = `image/${MIMES[kind]}`
  const { attachmentId } = await upload(guest, plane.storage, { name: `a.${kind}`, mime, body })
  return guest.post('/messages', said({ content_type: 'file', attachment_id: attachmentId }))
}

describe('an image that matches its name', () => {
  test.each(KINDS.filter(isHandout))('is a handout: %s', async (kind) => {
    expect((await register(kind, IMAGES[kind])).status).toBe(201)
  })

  test.each(KINDS.filter(isAttachment))('goes in the chat: %s', async (kind) => {
    expect((await send(kind, IMAGES[kind])).status).toBe(201)
  })
})

describe('a GIF that browsers show', () => {
  test.each([
    ['without the byte that ends it', []],
    ['with something else in its place', [0, 9]],
  ])('is a handout: %s', async (_what, end) => {
    const whole = IMAGES.gif.subarray(0, -1)
    expect((await register('gif', Buffer.concat([whole, Buffer.from(end)]))).status).toBe(201)
  })
})

describe('an image that cannot be shown is 422 UNSUPPORTED_FILE_TYPE', () => {
  // contract: registerHandout › 422 UNSUPPORTED_FILE_TYPE: an image that cannot be decoded to its
  //   end
  test.each(HOSTILE_IMAGES.filter(([, kind]) => isHandout(kind)))(
    'as a handout: %s',
    async (...[, kind, body, code]) => {
      const answer = await register(kind, body)
      expect([answer.status, answer.code]).toEqual([422, 'UNSUPPORTED_FILE_TYPE'])
      expect(answer.details).toEqual([['file', code]])
    },
  )

  // contract: sendMessage › 422 UNSUPPORTED_FILE_TYPE: an image that cannot be decoded to its end
  test.each(HOSTILE_IMAGES.filter(([, kind]) => isAttachment(kind)))(
    'in the chat: %s',
    async (...[, kind, body, code]) => {
      const answer = await send(kind, body)
      expect([answer.status, answer.code]).toEqual([422, 'UNSUPPORTED_FILE_TYPE'])
      expect(answer.details).toEqual([['attachment_id', code]])
    },
  )
})

const order = async () => ({ bytes: IMAGES.png, type: 'image/png', maxPixels: 16 }) as const

describe('the process that decodes', () => {
  // contract: registerHandout › `IMAGE_MAX_PIXELS`
  test('counts the pixels that are allowed', async () => {
    const judge = createImageDecoder({ idleMs: 0 })
    expect(await judge(order)).toBeNull()
    expect(await judge(async () => ({ ...(await order()), maxPixels: 15 }))).toBe('too_many_pixels')
  })

  test('is ended over an image that takes too long, and another one starts', async () => {
    const judge = createImageDecoder({ decodeMaxMs: 1, idleMs: 0 })
    const background = { r: 1, g: 2, b: 3 }
    const large = { width: 6_000, height: 6_000, channels: 3, background } as const
    const bytes = await sharp({ create: large }).png().toBuffer()
    const long = async () => ({ bytes, type: 'image/png', maxPixels: 6_000 * 6_000 }) as const
    expect([await judge(long), await judge(long)]).toEqual(['undecodable', 'undecodable'])
  })

  test('continues when an image could not be read', async () => {
    const judge = createImageDecoder({ idleMs: 0 })
    const lost = judge(async () => {
      throw new Error('no such object')
    })
    await expect(lost).rejects.toThrow('no such object')
    expect(await judge(order)).toBeNull()
  })

  test('keeps fifty waiting and refuses the next with 503', async () => {
    const judge = createImageDecoder({ idleMs: 0 })
    const answer = Promise.withResolvers<Awaited<ReturnType<typeof order>>>()
    const waiting = Array.from({ length: 50 }, () => judge(() => answer.promise))
    await expect(judge(order)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    answer.resolve(await order())
    expect(await Promise.all(waiting)).toEqual(Array(50).fill(null))
  })
})
