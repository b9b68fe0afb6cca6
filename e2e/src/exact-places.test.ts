import { randomUUID } from 'node:crypto'
import { boxesOf, fit, stageBoxes } from '@interview-room/composer/layouts.ts'
import type { TimelineItem } from '@interview-room/contract/recording-reports.ts'
import { IS_FULL_RUN } from '@interview-room/server/src/testing/scope.ts'
import { expect, test } from 'vitest'
import type { ApiParticipant } from './harness/api-participant.ts'
import { CLOCK_CAMERA, momentIn } from './harness/clock-camera.ts'
import { imageOf, registerHandout } from './harness/handouts.ts'
import { untilEnded, untilRecorded } from './harness/recorded.ts'
import type { Room } from './harness/tenant.ts'
import { useTestEnvironment } from './harness/test-environment.ts'
import { openVideo, type Video } from './harness/video.ts'

const COLOUR = { r: 40, g: 160, b: 90 }
const CLOCK_SIZE = { width: 640, height: 480 }
/** Shapes of what is shown, by which the people stand beside or below it. */
const ASPECTS = [4 / 3, 1.5]
const OFF_MAX_SEC = 0.3
const FRAME_SEC = 1 / 15
const LOOKS = [-2, -1, 0, 1, 2].map((frames) => frames * FRAME_SEC)
const PARTS = 3

const env = useTestEnvironment({ ownService: { env: {} } })

/** Something that happened in the room, between two moments of this machine's clock. */
interface Happening {
  what: string
  type: string
  /** Text in the payload of its item. */
  says: string
  fromMs: number
  toMs: number
}

interface Scene {
  room: Room
  moderator: ApiParticipant
  operator: ApiParticipant
  observer: ApiParticipant
  guest: ApiParticipant
}

const happened: Happening[] = []

/** Notes the moments right before and after it is done, `earlierMs` before now. */
async function happens<T>(
  {
    what,
    type,
    says = '',
    earlierMs = 0,
  }: Partial<Happening> & { type: string; earlierMs?: number },
  act: () => Promise<T>,
): Promise<T> {
  const fromMs = Date.now() - earlierMs
  const result = await act()
  happened.push({ what: what ?? type, type, says, fromMs, toMs: Date.now() - earlierMs })
  return result
}

const say = (who: ApiParticipant, visibility: string, text: string) =>
  happens({ what: `${visibility} chat`, type: 'chat.message', says: text }, () =>
    who.post('/messages', { id: randomUUID(), visibility, content_type: 'text', text }),
  )

const post = (who: ApiParticipant, event_type: string, says = '') =>
  happens({ type: event_type, says }, () => who.post('/events', { event_type }))

const mark = (who: ApiParticipant, note: string, more: { seconds_ago?: number } = {}) =>
  happens(
    {
      what: `marker: ${note}`,
      type: 'marker',
      says: note,
      earlierMs: (more.seconds_ago ?? 0) * 1000,
    },
    () => who.post('/events', { event_type: 'marker', payload: { note, ...more } }),
  )

async function enterScene(): Promise<Scene> {
  const room = await env.tenant.book({ room: { archive_mode: 'manual' } })
  const visit = { before: CLOCK_CAMERA, hasDevices: true }
  await env.enter({ roomId: room.id, role: 'panelist', name: 'Clock' }, visit)
  const by = (role: 'moderator' | 'platform_observer' | 'observer' | 'panelist', name: string) =>
    env.enterByHand({ roomId: room.id, role, name })
  const guest = await by('panelist', 'Guest')
  await guest.post('/events', { event_type: 'consent.given' })
  return {
    room,
    guest,
    moderator: await by('moderator', 'Mori'),
    operator: await by('platform_observer', 'Op'),
    observer: await by('observer', 'Obi'),
  }
}

/** Chat, markers, a hand and an entry. */
async function firstPart({ room, moderator, operator, observer, guest }: Scene): Promise<void> {
  await untilRecorded(moderator, 1)
  await say(moderator, 'public', 'welcome')
  await mark(moderator, 'early')
  await post(guest, 'hand.raised')
  await untilRecorded(moderator, 2)
  await say(operator, 'private', 'behind')
  await post(guest, 'hand.lowered')
  const entered = { type: 'participant.entered', says: 'Late' }
  await happens(entered, () =>
    env.connectByHand({ roomId: room.id, role: 'observer', name: 'Late' }),
  )
  await untilRecorded(moderator, 4)
  await say(observer, 'observer_only', 'unseen')
  await mark(moderator, 'seconds ago', { seconds_ago: 1 })
  await untilRecorded(moderator, 5)
  await mark(moderator, 'right before the pause')
}

/** A handout, questions, and help. */
async function secondPart({ room, moderator, operator, observer, guest }: Scene): Promise<void> {
  const handout = {
    kind: 'image',
    name: 'green.bmp',
    title: 'Green',
    content: imageOf(COLOUR),
  } as const
  const id = await registerHandout(env.service, room, handout)
  await untilRecorded(moderator, 7)
  await mark(moderator, 'after the pause')
  await happens({ type: 'handout.show', says: 'Green' }, () =>
    moderator.post(`/handouts/${id}/show`),
  )
  const question = { id: randomUUID(), text: 'why green?' }
  await happens({ type: 'question.added', says: question.text }, () =>
    observer.post('/questions', question),
  )
  await untilRecorded(moderator, 9)
  await happens({ type: 'question.changed' }, () =>
    moderator.post(`/questions/${question.id}/status`, { status: 'asked' }),
  )
  await happens({ type: 'handout.hide' }, () => moderator.post(`/handouts/${id}/hide`))
  await untilRecorded(moderator, 10)
  await post(guest, 'help.requested')
  await post(operator, 'help.answered')
  await mark(moderator, 'right before the second pause')
}

/** A shared screen, and the end. */
async function thirdPart({ room, moderator }: Scene): Promise<void> {
  await untilRecorded(moderator, 12)
  await say(moderator, 'public', 'once more')
  const media = await env.connectByHand({ roomId: room.id, role: 'moderator', name: 'Sharer' })
  const end = await happens({ type: 'screen.started', says: 'Sharer' }, () =>
    media.shareScreen(COLOUR),
  )
  await untilRecorded(moderator, 15)
  await happens({ type: 'screen.ended', says: 'Sharer' }, end)
  await untilRecorded(moderator, 17)
  await happens({ type: 'participant.left', says: 'Sharer' }, () => media.leave())
  await untilRecorded(moderator, 18)
  await mark(moderator, 'last')
}

/** Every part of the picture in which the clock may be. */
function tilesIn({ widthPx: width, heightPx: height }: Video) {
  const canvas = { width, height }
  const boxes = [1, 2].flatMap((count) => [
    ...boxesOf('grid', count, canvas),
    ...ASPECTS.flatMap((aspect) => stageBoxes([aspect], count, canvas).slice(1)),
  ])
  return boxes.map((box) => {
    const size = fit(CLOCK_SIZE, box)
    const left = box.x + (box.width - size.width) / 2
    return { x: left, y: box.y + (box.height - size.height) / 2, ...size }
  })
}

/**
 * Seconds from when it happened to what the clock shows at its place in the file; 0 between the moments. A square that is just
 * changing is grey, so frames around it are read, too, and the median counts.
 */
async function offBySec(video: Video, item: TimelineItem, { fromMs, toMs }: Happening) {
  const around = LOOKS.map((sec) => item.offset_sec + sec).filter(
    (sec) => sec >= 0 && sec < video.durationSec - FRAME_SEC,
  )
  const offs: number[] = []
  for (const atSec of around) {
    const picture = { pixels: await video.frameAt(atSec), widthPx: video.widthPx }
    const aheadMs = (atSec - item.offset_sec) * 1000
    const shownMs = momentIn(picture, tilesIn(video), fromMs)
    if (shownMs !== undefined) offs.push(outsideSec(shownMs - aheadMs, { fromMs, toMs }))
  }
  return offs.toSorted((one, other) => one - other)[Math.floor(offs.length / 2)]
}

const outsideSec = (ms: number, { fromMs, toMs }: Pick<Happening, 'fromMs' | 'toMs'>) =>
  (ms < fromMs ? ms - fromMs : Math.max(0, ms - toMs)) / 1000

async function download(recordingId: string): Promise<Video> {
  const answer = await env.tenant.call('GET', `/recordings/${recordingId}/download-url`)
  const { data } = (await answer.json()) as { data: { url: string } }
  const bytes = Buffer.from(await (await fetch(data.url)).arrayBuffer())
  return openVideo(bytes)
}

test.runIf(IS_FULL_RUN)(
  'every event of an interview with pauses stands where the file shows its moment',
  async () => {
    const scene = await enterScene()
    const { room, moderator } = scene
    await moderator.post('/recording/start', { output_mode: 'composed' })
    for (const [index, part] of [firstPart, secondPart, thirdPart].slice(0, PARTS).entries()) {
      if (index > 0) await moderator.post('/recording/start')
      await part(scene)
      await moderator.post(`/recording/${index === PARTS - 1 ? 'stop' : 'pause'}`)
    }
    const recording = await untilEnded(env.tenant, room.id)
    expect(recording?.status).toBe('available')
    const id = recording?.id ?? ''
    const { items } = await env.tenant.api.getRecordingTimeline({
      params: { recording_id: id },
      query: { limit: 100 },
    })
    const video = await download(id)
    const rows: { what: string; atSec: number | undefined; offSec: number | undefined }[] = []
    for (const each of happened) {
      const item = items.find(
        ({ type, payload }) => type === each.type && JSON.stringify(payload).includes(each.says),
      )
      const offSec = item && (await offBySec(video, item, each))
      rows.push({ what: each.what, atSec: item?.offset_sec, offSec })
    }
    video.dispose()
    for (const { what, atSec, offSec } of rows)
      process.stdout.write(`${what}: at ${atSec?.toFixed(2)} s, off by ${offSec?.toFixed(2)} s\n`)
    expect(rows.length).toBeGreaterThanOrEqual(20)
    const wrong = rows.filter(
      ({ offSec }) => offSec === undefined || Math.abs(offSec) > OFF_MAX_SEC,
    )
    expect(wrong).toEqual([])
  },
)
