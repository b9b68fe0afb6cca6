import type { LiveTextAudience, Role } from '@interview-room/contract/vocabulary.ts'
import { afterEach, describe, expect, test } from 'vitest'
import { inTransaction } from '../../../platform/db/db.ts'
import { setConsentPolicy } from '../../../platform/tenants/consent-settings.ts'
import { setLiveText } from '../../../platform/tenants/live-text.ts'
import { useControlPlane } from '../../../testing/control-plane.ts'
import { connectMedia } from '../../../testing/entries.ts'
import { listenTo, silence, speech } from '../../../testing/listened-rooms.ts'
import { type Guest, useLiveRooms } from '../../../testing/live-room.ts'
import { addLiveTexts } from '../../../testing/live-texts.ts'
import { createScriptedEngine } from '../../../testing/scripted-engine.ts'
import { waitFor } from '../../../testing/wait-for.ts'
import { closeEntry } from '../../people/close-entries.ts'
import { liveTextJob } from './live-text.job.ts'
import { sweepLiveTextsJob } from './sweep-live-texts.job.ts'

const plane = useControlPlane()
const live = useLiveRooms(plane)

const listen = async (roomId: string) => listenTo(plane, roomId)

afterEach(async () => {
  plane.media.onCall = undefined
  await setConsentPolicy(plane.database.db, plane.tenant.tenantId, {
    observationConsent: 'informed',
  })
})

/** A person inside, whose consent to live text is given unless it says otherwise. */
interface Person extends Guest {
  leave(): Promise<void>
  consent(word: 'given' | 'declined' | 'withdrawn', purpose?: string): Promise<void>
}

async function enter(roomId: string, role: Role): Promise<Person> {
  const guest = await live.enter(roomId, role)
  const mediaSid = await connectMedia(plane, { roomId, identity: guest.participantId })
  return {
    ...guest,
    leave: () =>
      inTransaction(plane.database.db, (tx) =>
        closeEntry(tx, { roomId, mediaSid, at: new Date(plane.now.getTime() + 1000) }),
      ),
    async consent(word, purpose = 'transcription') {
      const event = { event_type: `consent.${word}`, payload: { purpose } }
      const { status, text } = await guest.post('/events', event)
      if (status !== 201) throw new Error(text)
    },
  }
}

/** A room with live text, a moderator and a panelist. */
async function talk(audience: LiveTextAudience = 'staff', translateTo: string | null = null) {
  const { tenantId } = plane.tenant
  await setLiveText(plane.database.db, { tenantId, audience, translateTo })
  const { id: roomId } = await plane.book({ startsInMin: 1 })
  const moderator = await enter(roomId, 'moderator')
  const panelist = await enter(roomId, 'panelist')
  return { roomId, moderator, panelist }
}

const jobsOf = (roomId: string) =>
  plane.database.db`select key from jobs where kind = 'live-text' and key = ${roomId}`

const storedOf = (roomId: string) =>
  plane.database.db<{ text: string; identity: string }[]>`
    select text, media_identity as identity from live_texts where room_id = ${roomId} order by seq
  `
const transcriptOf = async (guest: Guest): Promise<string[]> =>
  (await guest.get('/transcript')).data.items.map(({ text }: { text: string }) => text)

describe('what a person says', () => {
  // contract: streamRoom › `caption` has `participant_id`, `identity`, `segment`, `text`, `final`,
  //   `language` and `is_translation`
  // contract: readLiveTranscript › 200 with `items`: `participant_id`, `identity`, `display_name`,
  //   `segment`, `text`, `language`, `is_translation`, `started_at` and `ended_at`, oldest first
  // contract: readLiveTranscript › `cursor` and `has_more`: with `after`, only what follows
  test('is shown while it is said, and stored once it is final', async () => {
    const { roomId, moderator } = await talk()
    const { say, stream } = await listen(roomId)
    const page = await moderator.listen()
    await page.wait('snapshot')
    say(moderator, speech(1))
    // A text that is not final may be lost while the service begins to listen for them.
    const saying = setInterval(() => stream()?.say('good'), 100)
    const isShown = page.wait('caption', ({ text }) => text === 'good')
    const first = await isShown.finally(() => clearInterval(saying))
    expect(first).toEqual({
      participant_id: moderator.participantId,
      identity: moderator.participantId,
      segment: expect.stringMatching(/-0$/),
      text: 'good',
      final: false,
      language: 'ja-JP',
      is_translation: false,
    })
    stream()?.say('good morning', { isFinal: true, endSec: 1 })
    const last = await page.wait('caption', ({ final }) => final)
    expect(last).toEqual({ ...first, text: 'good morning', final: true })
    stream()?.say('good morning', { isFinal: true })
    stream()?.say('how are you', { isFinal: true, segment: 1 })
    await page.wait('caption', ({ text, final }) => final && text === 'how are you')
    const { data } = await moderator.get('/transcript')
    expect(data).toMatchObject({ has_more: false, cursor: expect.any(String) })
    expect(data.items).toMatchObject([
      { text: 'good morning', segment: first.segment, identity: moderator.participantId },
      { text: 'how are you', is_translation: false, language: 'ja-JP' },
    ])
    const [{ started_at: start, ended_at: end, display_name: name }] = data.items
    expect(Date.parse(end) - Date.parse(start)).toBe(1000)
    expect(name).not.toBe('')
    const rest = await moderator.get(`/transcript?after=${data.cursor}`)
    expect(rest.data).toMatchObject({ items: [], cursor: expect.any(String) })
  })

  test('is also translated to the language of the tenant, in the same segment', async () => {
    const { roomId, moderator } = await talk('staff', 'en-US')
    const { say, stream } = await listen(roomId)
    say(moderator, speech(1))
    expect(stream()?.translateTo).toBe('en-US')
    stream()?.say('おはよう', { isFinal: true })
    const translated = { language: 'en-US', isTranslation: true, isFinal: true }
    stream()?.say('Good morning', translated)
    await waitFor(async () => (await transcriptOf(moderator)).length === 2)
    const { items } = (await moderator.get('/transcript')).data
    expect(items).toMatchObject([
      { text: 'おはよう', language: 'ja-JP', is_translation: false },
      { text: 'Good morning', language: 'en-US', is_translation: true },
    ])
    expect(items[1].segment).toBe(items[0].segment)
  })

  test('is pushed without the silence around it', async () => {
    const { roomId, moderator } = await talk()
    const { say, stream, engine } = await listen(roomId)
    say(moderator, silence(5))
    expect(engine.streams).toHaveLength(0)
    say(moderator, [...speech(2), ...silence(5), ...speech(1), ...silence(5)])
    expect(engine.streams).toHaveLength(1)
    // The silence before each onset is at most 0.3 s, the one after it 0.8 s.
    expect(stream()?.seconds()).toBeGreaterThan(3 + 2 * 0.8)
    expect(stream()?.seconds()).toBeLessThan(3 + 2 * (0.8 + 0.36))
  })

  test('ends in silence for the engine when the microphone is muted', async () => {
    const { roomId, moderator } = await talk()
    const { say, stream } = await listen(roomId)
    say(moderator, speech(1))
    await waitFor(() => (stream()?.seconds() ?? 0) > 1.7)
    expect(
      stream()
        ?.pushed.at(-1)
        ?.every((sample) => sample === 0),
    ).toBe(true)
  })

  test('goes to another stream after one that failed, or could not be opened', async () => {
    const { roomId, moderator } = await talk()
    const { say, stream, engine } = await listen(roomId)
    engine.isBroken = true
    say(moderator, speech(1))
    engine.isBroken = false
    await waitFor(() => {
      say(moderator, speech(0.1))
      return engine.streams.length === 1
    })
    stream()?.fail()
    await waitFor(() => {
      say(moderator, speech(0.1))
      return engine.streams.length === 2
    })
    stream()?.say('again', { isFinal: true })
    await waitFor(async () => (await storedOf(roomId)).length === 1)
  })

  test('becomes text also if they leave right after', async () => {
    const { roomId, moderator, panelist } = await talk()
    await panelist.leave()
    const { say, stream, ended } = await listen(roomId)
    say(moderator, speech(1))
    stream()?.say('goodbye', { isFinal: true })
    await moderator.leave()
    expect(await ended).toEqual({ outcome: 'done' })
    expect(await storedOf(roomId)).toMatchObject([{ text: 'goodbye' }])
    expect(plane.media.listeners.has(roomId)).toBe(false)
  })
})

describe('live text is read', () => {
  // contract: readLiveTranscript › By visibility: panelists read nothing where it is for staff
  test.each([
    ['staff', ['moderator', 'observer', 'platform_observer']],
    ['everyone', ['moderator', 'observer', 'platform_observer', 'panelist']],
  ] as const)('in a room for %s by %s', async (audience, readers) => {
    const { roomId, moderator, panelist } = await talk(audience)
    const people = [
      moderator,
      panelist,
      await enter(roomId, 'observer'),
      await enter(roomId, 'platform_observer'),
    ]
    const { say, stream } = await listen(roomId)
    const pages = await Promise.all(people.map((each) => each.listen()))
    await Promise.all(pages.map((page) => page.wait('snapshot')))
    say(moderator, speech(1))
    stream()?.say('secr')
    await pages[0]?.wait('caption', ({ final }) => !final)
    stream()?.say('secret', { isFinal: true })
    for (const [at, page] of pages.entries()) {
      const person = people[at] as Guest
      const isReader = (readers as readonly Role[]).includes(person.role)
      if (isReader) await page.wait('caption', ({ final }) => final)
      // Comes after the captions.
      await moderator.post('/messages', {
        id: crypto.randomUUID(),
        visibility: 'public',
        content_type: 'text',
        text: `to ${person.role}`,
      })
      await page.wait('message', ({ text }) => text === `to ${person.role}`)
      expect(page.raw().includes('secr')).toBe(isReader)
      expect(await transcriptOf(person)).toEqual(isReader ? ['secret'] : [])
    }
  })

  test('by hidden roles only while everybody agrees to be observed', async () => {
    await setConsentPolicy(plane.database.db, plane.tenant.tenantId, {
      observationConsent: 'required',
    })
    const { roomId, moderator, panelist } = await talk('everyone')
    const observer = await enter(roomId, 'observer')
    const { say, stream } = await listen(roomId)
    say(moderator, speech(1))
    stream()?.say('before', { isFinal: true })
    await waitFor(async () => (await storedOf(roomId)).length === 1)
    expect(await transcriptOf(observer)).toEqual([])
    await panelist.consent('given', 'observation')
    await waitFor(async () => {
      stream()?.say('after', { isFinal: true, segment: (await storedOf(roomId)).length })
      return (await transcriptOf(observer)).length > 0
    })
    expect(await transcriptOf(observer)).not.toContain('before')
    expect(await transcriptOf(moderator)).toContain('before')
  })
})

describe('the transcript of a room', () => {
  // contract: readLiveTranscript › A cursor of another room starts over
  // contract: readLiveTranscript › 409 SESSION_RELEASED after the close, 409 PARTICIPANT_BANNED after a ban
  test('starts over with the cursor of another room, and ends with the room', async () => {
    const { roomId, moderator, panelist } = await talk()
    const { say, stream } = await listen(roomId)
    say(moderator, speech(1))
    stream()?.say('hello', { isFinal: true })
    await waitFor(async () => (await storedOf(roomId)).length === 1)
    const elsewhere = await (await talk()).moderator.get('/transcript')
    const { data } = await moderator.get(`/transcript?after=${elsewhere.data.cursor}`)
    expect(data.items).toHaveLength(1)
    const { participantId } = panelist
    const ban = { reason: 'test' }
    await plane.tenant.post(`/rooms/${roomId}/participants/${participantId}/ban`, ban)
    expect(await panelist.get('/transcript')).toMatchObject({
      status: 409,
      code: 'PARTICIPANT_BANNED',
    })
    await plane.tenant.post(`/rooms/${roomId}/close`)
    expect(await moderator.get('/transcript')).toMatchObject({
      status: 409,
      code: 'SESSION_RELEASED',
    })
  })

  // contract: readLiveTranscript › 422 OUTSIDE_TIME_WINDOW after the window
  test('is not read after the window', async () => {
    const endsAt = new Date(plane.now.getTime() - 20 * 60_000)
    const startsAt = new Date(endsAt.getTime() - 60 * 60_000)
    const { roomId } = await live.acting.addRoom({ startsAt, endsAt })
    const moderator = await live.enter(roomId, 'moderator')
    const before = plane.now
    plane.now = new Date(before.getTime() + 11 * 60_000)
    const refused = await moderator.get('/transcript')
    expect(refused).toMatchObject({ status: 422, code: 'OUTSIDE_TIME_WINDOW' })
    plane.now = before
  })
})

test('old texts are deleted, unless a legal hold covers the room', async () => {
  const [kept, swept] = [(await talk()).roomId, (await talk()).roomId]
  for (const roomId of [kept, swept]) {
    const createdAt = new Date(Date.now() - 31 * 24 * 60 * 60 * 1000)
    await addLiveTexts(plane, roomId, [{ identity: 'someone', text: 'old', createdAt }])
  }
  const held = await plane.tenant.post('/legal-holds', { room_id: kept, reason: 'Case 1' })
  expect(held.status).toBe(201)
  const { signal } = new AbortController()
  const run = { key: 'all', payload: {}, attempt: 1, signal, log: plane.deps.log }
  await sweepLiveTextsJob(plane.deps).run(run)
  expect([await storedOf(kept), await storedOf(swept)]).toMatchObject([[{ text: 'old' }], []])
})

describe('of a person who has not agreed', () => {
  test('no byte is pushed, from the first word on', async () => {
    const { roomId, panelist } = await talk()
    const { say, stream, engine } = await listen(roomId)
    say(panelist, speech(3))
    expect(engine.streams).toHaveLength(0)
    await panelist.consent('declined')
    say(panelist, speech(3))
    expect(engine.streams).toHaveLength(0)
    await panelist.consent('given')
    await waitFor(() => {
      say(panelist, speech(0.1))
      return engine.streams.length === 1
    })
    expect(stream()?.state).toBe('open')
  })

  test('nothing becomes text any more, also in mid-sentence', async () => {
    const { roomId, moderator, panelist } = await talk()
    await panelist.consent('given')
    const { say, stream, engine } = await listen(roomId)
    const page = await moderator.listen()
    await page.wait('snapshot')
    say(panelist, speech(1))
    stream()?.say('I would rath')
    await page.wait('caption', ({ text }) => text === 'I would rath')
    await panelist.consent('withdrawn')
    await waitFor(() => stream()?.state === 'aborted')
    const pushed = stream()?.seconds()
    say(panelist, speech(2))
    expect([engine.streams.length, stream()?.seconds()]).toEqual([1, pushed])
    stream()?.say('I would rather not', { isFinal: true })
    // The beginning of the sentence disappears from pages.
    await page.wait('caption', ({ text, final }) => final && text === '')
    say(moderator, speech(1))
    stream()?.say('fine', { isFinal: true })
    await waitFor(async () => (await storedOf(roomId)).length > 0)
    expect(await storedOf(roomId)).toMatchObject([{ text: 'fine' }])
  })
})

describe('a room', () => {
  test('without live text is not listened to', async () => {
    const { roomId } = await talk('off')
    expect(await jobsOf(roomId)).toHaveLength(0)
    const run = { key: roomId, payload: {}, attempt: 1, log: plane.deps.log }
    const { signal } = new AbortController()
    const before = plane.media.calls.length
    await liveTextJob(plane.deps, [createScriptedEngine()]).run({ ...run, signal })
    await liveTextJob(plane.deps, []).run({ ...run, signal })
    expect(plane.media.calls.slice(before)).toEqual([])
  })

  test('with live text is listened to from the first entry, until it is turned off', async () => {
    const { roomId } = await talk('staff')
    expect(await jobsOf(roomId)).toHaveLength(1)
    const { ended } = await listen(roomId)
    await setLiveText(plane.database.db, { tenantId: plane.tenant.tenantId, audience: 'off' })
    expect(await ended).toEqual({ outcome: 'done' })
  })

  test('is listened to again when the connection is lost', async () => {
    const { roomId, moderator } = await talk()
    const { say, stream, ended } = await listen(roomId)
    say(moderator, speech(1))
    stream()?.say('last words', { isFinal: true })
    plane.media.loseListeners(roomId)
    expect(await ended).toMatchObject({ outcome: 'again' })
    expect(await storedOf(roomId)).toMatchObject([{ text: 'last words' }])
    await listen(roomId)
  })

  test('has the sentence that was being said when its process stops, and then the next one', async () => {
    const { roomId, moderator } = await talk()
    const first = await listen(roomId)
    first.engine.lastWords = 'one sentence'
    first.say(moderator, speech(1))
    first.stream()?.say('one sen')
    first.stop()
    await expect(first.ended).rejects.toThrow('stop')
    expect(await storedOf(roomId)).toMatchObject([{ text: 'one sentence' }])
    expect(plane.media.listeners.has(roomId)).toBe(false)
    const second = await listen(roomId)
    second.say(moderator, speech(1))
    second.stream()?.say('another one', { isFinal: true })
    await waitFor(async () => (await storedOf(roomId)).length === 2)
    expect(await storedOf(roomId)).toMatchObject([
      { text: 'one sentence' },
      { text: 'another one' },
    ])
  })

  test('has its texts once when another process takes over', async () => {
    const { roomId, moderator } = await talk()
    const first = await listen(roomId)
    first.say(moderator, speech(1))
    const before = plane.media.listeners.get(roomId)
    const taking = listen(roomId)
    await waitFor(() => plane.media.listeners.get(roomId) !== before)
    const second = await taking
    const hear = plane.media.listeners.get(roomId)
    for (const pcm of speech(1)) hear?.({ identity: moderator.participantId, track: 'TR_1', pcm })
    first.stream()?.say('twice', { isFinal: true })
    second.stream()?.say('twice', { isFinal: true })
    second.stream()?.say('once', { isFinal: true, segment: 1 })
    await waitFor(async () => (await storedOf(roomId)).length === 2)
    expect(await storedOf(roomId)).toMatchObject([{ text: 'twice' }, { text: 'once' }])
  })

  test('has no text of a guest, who was asked for nothing', async () => {
    const { roomId, moderator, panelist } = await talk()
    await plane.database.db`
      update admissions set guest_kind = 'sip'
       where room_id = ${roomId} and media_identity = ${panelist.participantId}
    `
    const { say, engine } = await listen(roomId)
    say(panelist, speech(2))
    expect(engine.streams).toHaveLength(0)
    say(moderator, speech(1))
    expect(engine.streams).toHaveLength(1)
  })
})
