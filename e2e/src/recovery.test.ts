import { IS_FULL_RUN } from '@interview-room/server/src/testing/scope.ts'
import type { Page } from 'playwright-core'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { FULL_CAMERA, framesShown, inboundAudio, type Person } from './harness/browser.ts'
import { injectFaults } from './harness/faults.ts'
import { cutNetwork, SILENT_SOCKETS } from './harness/outage.ts'
import {
  cameraReplaced,
  connection,
  control,
  deviceProblem,
  liveRoom,
  videoTexts,
  say,
  streamNotice,
  tile,
} from './harness/room-page.ts'
import type { Room } from './harness/tenant.ts'
import { useTestEnvironment, type Visit } from './harness/test-environment.ts'
import { SOON, waitFor } from './harness/wait.ts'

const NAMES = { moderator: 'Mori', panelist: 'Pana' }

const env = useTestEnvironment()
let room: Room
let moderator: Person

/** The moderator who watches the panelists is the same for all tests. */
beforeAll(async () => {
  room = await env.tenant.book()
  const who = { roomId: room.id, role: 'moderator', name: NAMES.moderator }
  moderator = await env.enter(who)
})

async function enterPanelist(visit: Visit = {}): Promise<Person> {
  const who = { roomId: room.id, role: 'panelist', name: NAMES.panelist }
  const before = `(${keepTracks.toString()})(); ${SILENT_SOCKETS}`
  const entered = await env.enter(who, { before, hasDevices: true, ...visit })
  await seesMoving(moderator.page, NAMES.panelist)
  return entered
}

async function identityOf(wanted: keyof typeof NAMES): Promise<string | undefined> {
  const all = await env.tenant.participants(room.id)
  return all.find(({ role }) => role === wanted)?.id
}

afterEach(async () => injectFaults(env.service, {}))

interface WatchedWindow {
  tracks: MediaStreamTrack[]
  isDenied: boolean
}

/** Runs in the page before its own scripts: keeps the devices' tracks, and can refuse further ones. */
function keepTracks(): void {
  const watched = globalThis as unknown as WatchedWindow
  watched.tracks = []
  watched.isDenied = false
  const { mediaDevices } = navigator
  const original = mediaDevices.getUserMedia.bind(mediaDevices)
  mediaDevices.getUserMedia = async (constraints) => {
    if (watched.isDenied) throw new DOMException('Permission denied', 'NotAllowedError')
    const stream = await original(constraints)
    watched.tracks.push(...stream.getTracks())
    return stream
  }
}

/** Ends every track of this kind, as the browser reports it when the device is unplugged. */
async function unplug(page: Page, kind: 'audio' | 'video'): Promise<void> {
  await page.evaluate((which) => {
    const { tracks } = globalThis as unknown as WatchedWindow
    for (const track of tracks.filter(
      ({ kind, readyState }) => kind === which && readyState === 'live',
    )) {
      track.stop()
      track.dispatchEvent(new Event('ended'))
    }
  }, kind)
}

async function seesMoving(page: Page, name: string): Promise<void> {
  const before = await waitFor(async () => (await framesShown(page, name)) || undefined, {
    what: `${name} is seen`,
  })
  await waitFor(async () => (await framesShown(page, name)) > before + 3, {
    what: `${name} moves`,
  })
}

test.runIf(IS_FULL_RUN)(
  'a moderator on a weak connection is notified of the paused video, keeps hearing, and sees it again',
  async () => {
    const { page } = moderator
    const panelist = await enterPanelist({ browser: await env.launchBrowser([FULL_CAMERA]) })
    const identity = await identityOf('moderator')
    await injectFaults(env.service, { line: { identity, kbps: 120 } })
    const pausedVideos = videoTexts(tile(page, NAMES.panelist), 'videoPausedByNetwork')
    await pausedVideos.waitFor(SOON)
    expect(await pausedVideos.innerText()).toContain('Audio continues')
    const { packets } = await inboundAudio(page)
    await waitFor(async () => (await inboundAudio(page)).packets > packets + 100, {
      what: 'the voice continues',
    })

    await injectFaults(env.service, { line: { identity } })
    await pausedVideos.waitFor({ ...SOON, state: 'detached' })
    await seesMoving(page, NAMES.panelist)
    await panelist.context.close()
  },
)

describe('a panelist', () => {
  let panelist: Person

  beforeEach(async () => {
    panelist = await enterPanelist()
  })

  // The next person with this name would take over from a page that is still open.
  afterEach(async () => panelist.context.close())

  test('without network sees the loss, and reconnects automatically when the network is back', async () => {
    const { page } = panelist
    await injectFaults(env.service, {
      line: { identity: await identityOf('panelist'), blocked: true },
    })
    const bringBack = await cutNetwork(panelist)
    await streamNotice(page).or(connection(page, 'reconnecting')).first().waitFor(SOON)
    await bringBack()
    await injectFaults(env.service, {})
    await liveRoom(page).waitFor(SOON)
    await streamNotice(page).waitFor({ ...SOON, state: 'detached' })
    await seesMoving(moderator.page, NAMES.panelist)
  })

  test('whose tab was frozen continues when it wakes', async () => {
    const { page, context } = panelist
    const cdp = await context.newCDPSession(page)
    await cdp.send('Page.setWebLifecycleState', { state: 'frozen' })
    await say(moderator.page, 'public', 'said while it slept')
    await cdp.send('Page.setWebLifecycleState', { state: 'active' })
    await liveRoom(page).waitFor(SOON)
    await waitFor(async () => (await page.content()).includes('said while it slept'), {
      what: 'the chat caught up',
    })
    await seesMoving(moderator.page, NAMES.panelist)
  })

  test('whose camera is unplugged is notified of its replacement, and is still seen', async () => {
    const { page } = panelist
    await unplug(page, 'video')
    await cameraReplaced(page).waitFor(SOON)
    expect(await cameraReplaced(page).innerText()).toContain('fake_device')
    await seesMoving(moderator.page, NAMES.panelist)
  })

  test('whose microphone is blocked is notified of the reason, and is shown as muted to everybody', async () => {
    const { page } = panelist
    await page.evaluate(() => {
      ;(globalThis as unknown as WatchedWindow).isDenied = true
    })
    await unplug(page, 'audio')
    await control(page, 'unmute').waitFor(SOON)
    await deviceProblem(page, 'microphone').waitFor(SOON)
    await tile(moderator.page, NAMES.panelist, 'muted').waitFor(SOON)

    await page.evaluate(() => {
      ;(globalThis as unknown as WatchedWindow).isDenied = false
    })
    await control(page, 'unmute').click()
    await control(page, 'mute').waitFor(SOON)
    await deviceProblem(page, 'microphone').waitFor({ ...SOON, state: 'detached' })
  })

  test('who comes back from a long outage is not asked to join again', async () => {
    const { page } = panelist
    await page.route('**/live/**', (route) => route.abort())
    await page.evaluate(() => {
      const { peerConnections } = globalThis as unknown as { peerConnections: RTCPeerConnection[] }
      for (const connection of peerConnections) connection.close()
    })
    const bringBack = await cutNetwork(panelist)
    await connection(page, 'reconnecting').waitFor(SOON)
    await bringBack()
    await page.unroute('**/live/**')
    await liveRoom(page).waitFor(SOON)
    await seesMoving(moderator.page, NAMES.panelist)
  })
})
