import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type MediaServer, startMediaServer } from '@interview-room/media-server/src/server.ts'
import { ListParticipantsRequest, ListParticipantsResponse } from '@livekit/protocol'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { waitFor } from '../../../testing/wait-for.ts'
import { systemClock } from '../../lib/clock.ts'
import { type Media, MediaError } from '../../ports/media.ts'
import { createLivekitMedia } from './livekit-media.ts'
import { createProviderClient } from './provider-client.ts'
import { createVisits } from './visits.ts'

const KEY = { apiKey: 'key', apiSecret: 'a-secret-of-the-provider' }
const ROOM = 'room'
const never = new AbortController().signal

let server: MediaServer
let media: Media
beforeAll(async () => {
  server = await startMediaServer({
    host: '127.0.0.1',
    port: 0,
    apiKeys: { [KEY.apiKey]: KEY.apiSecret },
    autoCreate: false,
    log() {},
  })
  media = mediaAt(`http://127.0.0.1:${server.port}`)
  await media.ensureRoom({ name: ROOM, emptyTimeoutSec: 300, metadata: {} })
})
afterAll(() => server.close())

function mediaAt(apiUrl: string, masksArrivals = true): Media {
  return createLivekitMedia({
    ...KEY,
    apiUrl,
    egressUrls: [apiUrl],
    drainedEgressUrls: [],
    publicUrl: apiUrl,
    inspectorUrl: undefined,
    masksArrivals,
    clock: systemClock,
  })
}

/** Everybody in the media room, as the provider lists them. */
async function listed() {
  const call = createProviderClient(
    { ...KEY, apiUrl: `http://127.0.0.1:${server.port}`, clock: systemClock },
    { callSec: 5 },
  )
  const { participants } = await call('RoomService/ListParticipants', {
    grant: { roomAdmin: true, room: ROOM },
    body: new ListParticipantsRequest({ room: ROOM }),
    answer: ListParticipantsResponse,
  })
  return participants
}

describe('a mask of arrivals', () => {
  test('is in the media room until the provider reports it, and in no list of people', async () => {
    const masking = media.maskArrivals(ROOM, never)
    await waitFor(async () => (await listed()).length === 1)
    const [mask] = await listed()
    expect(mask?.identity).toMatch(/^mask-/)
    expect(mask?.permission).toMatchObject({
      hidden: true,
      canPublish: false,
      canPublishData: false,
      canSubscribe: false,
    })
    expect(await media.listConnections(ROOM)).toEqual([])
    expect(await masking).toBe(true)
    await waitFor(async () => (await listed()).length === 0)
  })

  test('leaves early when it is no longer wanted', async () => {
    const over = new AbortController()
    const masking = media.maskArrivals(ROOM, over.signal)
    await waitFor(async () => (await listed()).length === 1)
    over.abort(new Error('over'))
    await expect(masking).rejects.toThrow('over')
    await waitFor(async () => (await listed()).length === 0)
  })

  test('is not made where arrivals are not reported', async () => {
    const other = mediaAt('http://127.0.0.1:9', false)
    expect(await other.maskArrivals(ROOM, never)).toBe(false)
  })

  test.each([
    ['there is no such room', () => media, 'absent'],
    ['nobody listens', () => mediaAt('http://127.0.0.1:9'), ROOM],
  ])('fails where %s', async (_what, mediaOf, room) => {
    await expect(mediaOf().maskArrivals(room, never)).rejects.toThrow(MediaError)
  })

  test('that takes too long ends with its process, and the next one has another', async () => {
    const silent = createServer(() => {})
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const { port } = silent.address() as AddressInfo
    const visit = createVisits({ visitMaxMs: 1500 })
    const order = { url: `http://127.0.0.1:${port}`, token: 'none' }
    for (let time = 0; time < 2; time += 1) {
      await expect(visit(order, never)).rejects.toThrow('the process of the visits has ended')
    }
    silent.closeAllConnections()
    silent.close()
  })
})
