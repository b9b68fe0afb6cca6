import { PassThrough } from 'node:stream'
import { afterEach, describe, expect, test } from 'vitest'
import { loadConfig } from '../../platform/config/config.ts'
import { useControlPlane } from '../../testing/control-plane.ts'
import { TEST_ENVIRONMENT } from '../../testing/deps.ts'
import { addHandout } from '../../testing/handouts.ts'
import { useLiveRooms } from '../../testing/live-room.ts'
import { file, multipartOf, SAMPLES, type TestParts } from '../../testing/multipart.ts'
import { waitFor } from '../../testing/wait-for.ts'

/** The smallest value that can be set. */
const REQUESTS_MAX = 8
/** The places that one caller may have at a time. */
const SHARE_OF_ONE = (REQUESTS_MAX * 3) / 4
/** The writes that one page may have at a time. */
const WRITES_OF_ONE = 3

const plane = useControlPlane({
  config: loadConfig({ ...TEST_ENVIRONMENT, REQUESTS_MAX: String(REQUESTS_MAX) }),
})
const live = useLiveRooms(plane)

const FILE = ['file', file('plan.png', SAMPLES.png)] as const

/** Ends the uploads that have begun. */
const ends: (() => Promise<void>)[] = []

afterEach(async () => {
  await Promise.all(ends.splice(0).map((end) => end()))
})

/** Starts this many uploads whose last bytes do not come until the test is over. */
async function beginUploads(
  count: number,
  target: `${'POST' | 'PATCH'} ${string}`,
  { authorization, parts = [FILE] }: { authorization: string; parts?: TestParts },
): Promise<void> {
  const [method, path] = target.split(' ') as ['POST' | 'PATCH', string]
  const before = await countUploads()
  for (let n = 0; n < count; n += 1) {
    const { payload, contentType } = multipartOf(parts)
    const body = new PassThrough()
    body.write(payload.subarray(0, -10))
    const headers = { 'content-type': contentType, authorization }
    const answer = plane.app.inject({ method, url: `/api/v1${path}`, payload: body, headers })
    ends.push(async () => {
      body.end(payload.subarray(-10))
      await answer
    })
  }
  await waitFor(async () => (await countUploads()) === before + count)
}

/** Each orders that its file be deleted again, before it stores the first byte. */
async function countUploads(): Promise<number> {
  const rows = await plane.database.db`select 1 from jobs where kind = 'delete-objects'`
  return rows.length
}

describe('uploads that take long', () => {
  test.each(['POST', 'PATCH'] as const)(
    'of handouts by %s keep no other request of the tenant from being served',
    async (method) => {
      const { id: roomId, session } = await plane.book()
      const path =
        method === 'POST'
          ? `/sessions/${session.id}/handouts`
          : `/handouts/${(await addHandout(plane, session.id)).id}`
      await beginUploads(SHARE_OF_ONE, `${method} ${path}`, plane.tenant)
      expect((await plane.tenant.get(`/rooms/${roomId}`)).status).toBe(200)
    },
  )

  test('by a person in a room do not delay anything else that the person does', async () => {
    const { id: roomId } = await plane.book({ startsInMin: 1 })
    const moderator = await live.enter(roomId, 'moderator')
    const authorization = `Bearer ${moderator.ticket}`
    await beginUploads(WRITES_OF_ONE, `POST /rooms/${roomId}/live/handouts`, { authorization })
    const answer = await Promise.race([
      moderator.post('/events', { event_type: 'marker' }),
      new Promise((resolve) => setTimeout(() => resolve('none'), 5_000)),
    ])
    expect(answer).toMatchObject({ status: 201 })
  })
})
