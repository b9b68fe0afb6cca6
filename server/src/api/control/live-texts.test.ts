import { describe, expect, test } from 'vitest'
import { setLiveText } from '../../platform/tenants/live-text.ts'
import { useControlPlane } from '../../testing/control-plane.ts'
import { connectMedia } from '../../testing/entries.ts'
import { useLiveRooms } from '../../testing/live-room.ts'
import { addLiveTexts } from '../../testing/live-texts.ts'

const plane = useControlPlane()
const live = useLiveRooms(plane)

/** A room in which two people have said three texts, of which one is also translated. */
async function talk() {
  const { id: roomId } = await plane.book({ startsInMin: 1 })
  const { participantId } = await live.enter(roomId, 'moderator')
  await connectMedia(plane, { roomId, identity: participantId })
  await addLiveTexts(plane, roomId, [
    { identity: participantId, text: 'one', isObservable: false },
    { identity: 'visitor', text: 'two' },
    { identity: 'visitor', text: 'zwei', isTranslation: true },
    { identity: participantId, text: 'three' },
  ])
  return { roomId, participantId }
}

const read = async (roomId: string, query = '') =>
  plane.tenant.get(`/rooms/${roomId}/live-transcript${query}`)
const textsOf = ({ data }: Awaited<ReturnType<typeof read>>) =>
  data.items.map(({ text }: { text: string }) => text)

describe('the live texts of a room', () => {
  // contract: listLiveTexts › 200 with `items`: `participant_id`, `identity`, `display_name`, `segment`, `text`,
  //   `language`, `is_translation`, `started_at` and `ended_at`, oldest first
  // contract: listLiveTexts › Every stored text, also where live text is off and what observers may not read
  test('are all read, whoever may read them in the room', async () => {
    const { roomId, participantId } = await talk()
    await setLiveText(plane.database.db, { tenantId: plane.tenant.tenantId, audience: 'off' })
    const answer = await read(roomId)
    expect(answer).toMatchObject({ status: 200, data: { has_more: false } })
    expect(textsOf(answer)).toEqual(['one', 'two', 'zwei', 'three'])
    expect(answer.data.items[0]).toEqual({
      participant_id: participantId,
      identity: participantId,
      display_name: expect.stringMatching(/./),
      segment: expect.any(String),
      text: 'one',
      language: 'ja-JP',
      is_translation: false,
      started_at: expect.any(String),
      ended_at: expect.any(String),
    })
    expect(answer.data.items[2]).toMatchObject({ participant_id: null, is_translation: true })
  })

  // contract: listLiveTexts › `limit` texts with `cursor` and `has_more`: with `after`, only what follows
  test('come in pages, and the last page has a cursor, too', async () => {
    const { roomId } = await talk()
    const first = await read(roomId, '?limit=3')
    expect([textsOf(first), first.data.has_more]).toEqual([['one', 'two', 'zwei'], true])
    const second = await read(roomId, `?after=${first.data.cursor}&limit=1`)
    expect([textsOf(second), second.data.has_more]).toEqual([['three'], false])
    const after = `?after=${second.data.cursor}`
    const third = await read(roomId, after)
    expect([textsOf(third), third.data.has_more]).toEqual([[], false])
    await addLiveTexts(plane, roomId, [{ identity: 'visitor', text: 'four' }])
    expect(textsOf(await read(roomId, after))).toEqual(['four'])
    expect(textsOf(await read(roomId, `?after=${third.data.cursor}`))).toEqual(['four'])
  })

  // contract: listLiveTexts › 400 INVALID_REQUEST for an `after` of another room, or a changed one
  test('are refused for a cursor of another room', async () => {
    const [{ roomId }, other] = [await talk(), await talk()]
    const { cursor } = (await read(other.roomId)).data
    for (const after of [cursor, 'AAAA', '']) {
      expect(await read(roomId, `?after=${after}`)).toMatchObject({
        status: 400,
        code: 'INVALID_REQUEST',
        details: [['after', 'INVALID_FORMAT']],
      })
    }
  })

  // contract: listLiveTexts › 404 NOT_FOUND for a room of another tenant
  test('of another tenant are 404 NOT_FOUND', async () => {
    const { roomId } = await talk()
    const path = `/rooms/${roomId}/live-transcript`
    expect(await plane.other.get(path)).toMatchObject({ status: 404, code: 'NOT_FOUND' })
  })
})
