import { describe, expect, test } from 'vitest'
import { loadConfig } from '../../platform/config/config.ts'
import { useControlPlane } from '../../testing/control-plane.ts'
import { TEST_ENVIRONMENT } from '../../testing/deps.ts'
import { said, say, upload } from '../../testing/live-chat.ts'
import { type Guest, useLiveRooms } from '../../testing/live-room.ts'
import type { Answer } from '../../testing/tenant-client.ts'

const SOME = { ...TEST_ENVIRONMENT, CHAT_MESSAGES_PER_MIN: '6', CHAT_FILES_PER_MIN: '2' }
const plane = useControlPlane({ config: loadConfig(SOME) })
const live = useLiveRooms(plane)

const enter = async (roomId?: string): Promise<Guest> =>
  live.enter(roomId ?? (await plane.book({ startsInMin: 1 })).id, 'moderator')

function expectLimited({ status, code, headers }: Answer): void {
  expect([status, code]).toEqual([429, 'RATE_LIMIT_EXCEEDED'])
  const waitSec = Number(headers['retry-after'])
  expect(Number.isInteger(waitSec) && waitSec >= 1 && waitSec <= 60).toBe(true)
}

/** Moves the clock forward, and everything sent so far back, by this many seconds. */
async function age(seconds: number): Promise<void> {
  const { db } = plane.database
  plane.now = new Date(plane.now.getTime() + seconds * 1000)
  await db`update chat_messages set created_at = created_at - make_interval(secs => ${seconds})`
  await db`update chat_attachments set created_at = created_at - make_interval(secs => ${seconds})`
}

const wanted = { name: 'a.pdf', mime: 'application/pdf', size: 9, visibility: 'public' }

describe('one participant', () => {
  // contract: Limits › A participant's messages (`CHAT_MESSAGES_PER_MIN`) and files
  //   (`CHAT_FILES_PER_MIN`) a minute
  test('sends 180 messages and 20 files in any minute, unless the operator says otherwise', () => {
    const { messagesPerMin, filesPerMin } = loadConfig(TEST_ENVIRONMENT).chat
    expect([messagesPerMin, filesPerMin]).toEqual([180, 20])
  })

  // contract: sendMessage › 429 RATE_LIMIT_EXCEEDED with `Retry-After`
  // contract: Error codes › 429 RATE_LIMIT_EXCEEDED, on the participant plane only
  test('is answered 429 with Retry-After beyond that, and can send again after the minute', async () => {
    const guest = await enter()
    const first = said()
    expect((await guest.post('/messages', first)).status).toBe(201)
    await age(30)
    for (let at = 1; at < 6; at += 1) expect((await say(guest)).status).toBe(201)
    const refused = await say(guest)
    expectLimited(refused)
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(30)
    // A repeat does not count as another message.
    expect((await guest.post('/messages', first)).status).toBe(200)
    await age(31)
    expect((await say(guest)).status).toBe(201)
    expectLimited(await say(guest))
  })

  test('has a limit of its own', async () => {
    const guest = await enter()
    const other = await enter(guest.roomId)
    for (let at = 0; at < 6; at += 1) await say(guest)
    expectLimited(await say(guest))
    expect((await say(other)).status).toBe(201)
  })

  // contract: sendMessage › 429 RATE_LIMIT_EXCEEDED: the limit is exact, even for concurrent messages
  test('is limited exactly, also for concurrent messages', async () => {
    const guest = await enter()
    const answers = await Promise.all(Array.from({ length: 15 }, () => say(guest)))
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 201)).toHaveLength(6)
    expect(statuses.filter((status) => status === 429)).toHaveLength(9)
  })

  // contract: createAttachment › 429 RATE_LIMIT_EXCEEDED beyond the files of a minute
  test('may ask for as many uploads as it may send files', async () => {
    const guest = await enter()
    const ask = () => guest.post('/attachments', wanted)
    const answers = await Promise.all(Array.from({ length: 5 }, ask))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      201, 201, 429, 429, 429,
    ])
    expectLimited(await ask())
    await age(61)
    expect((await ask()).status).toBe(201)
  })

  // contract: sendMessage › 429 RATE_LIMIT_EXCEEDED: the limit of files
  test('does not allow more files in a burst after saved-up uploads', async () => {
    const guest = await enter()
    const saved: string[] = []
    for (let at = 0; at < 3; at += 1) {
      saved.push((await upload(guest, plane.storage)).attachmentId)
      await age(61)
    }
    const send = (attachmentId: string | undefined) =>
      guest.post('/messages', said({ content_type: 'file', attachment_id: attachmentId ?? '' }))
    expect((await send(saved[0])).status).toBe(201)
    expect((await send(saved[1])).status).toBe(201)
    expectLimited(await send(saved[2]))
    expect((await say(guest)).status).toBe(201)
    await age(61)
    expect((await send(saved[2])).status).toBe(201)
  })
})

describe('the allowed file types', () => {
  test('can be restricted by the operator', () => {
    const config = loadConfig({ ...TEST_ENVIRONMENT, CHAT_ATTACHMENT_TYPES: 'pdf, png' })
    expect(config.chat.attachmentTypes).toEqual(['png', 'pdf'])
  })

  test.each([['exe'], ['pdf,svg'], ['pdf,,png']])('must be known: %s', (types) => {
    const load = () => loadConfig({ ...TEST_ENVIRONMENT, CHAT_ATTACHMENT_TYPES: types })
    expect(load).toThrow('CHAT_ATTACHMENT_TYPES must be some of')
  })
})
