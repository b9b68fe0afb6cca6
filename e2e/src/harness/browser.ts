import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { forgetNewerFeatures } from './oldest-browser.ts'
import { consentButton, joinButton, liveRoom, tile } from './room-page.ts'
import { SOON, SOON_MS } from './wait.ts'

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--use-fake-device-for-media-stream',
  '--use-fake-ui-for-media-stream',
  // Without it, a machine that has only the loopback interface gathers no candidates.
  '--allow-loopback-in-peer-connection',
  '--autoplay-policy=no-user-gesture-required',
]

/** A camera of 5 frames a second: enough to be seen, and the least work for the machine. */
export const CALM_CAMERA = '--use-fake-device-for-media-stream=fps=5'
/** The browser's own camera of 20 frames a second, for tests that measure the sent video. */
export const FULL_CAMERA = '--use-fake-device-for-media-stream'

const FULL_BROWSER = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium'
/** If it is installed, most tests use Chromium without windows, which is much less work for the machine. */
const LIGHT_BROWSER = process.env['HEADLESS_SHELL_PATH'] ?? FULL_BROWSER

/** The full browser also has features that the light one lacks, such as devices that keep their ids when a page is opened again. */
export async function launchBrowser(
  moreFlags: readonly string[] = [],
  { isFullBrowser = false }: { isFullBrowser?: boolean } = {},
): Promise<Browser> {
  return chromium.launch({
    executablePath: isFullBrowser ? FULL_BROWSER : LIGHT_BROWSER,
    headless: true,
    args: [...FLAGS, ...moreFlags],
  })
}

/** Everything that reached the page from outside, as one text to search in. */
export interface Traffic {
  text(): string
  /** Binary messages of WebSockets, oldest first. */
  frames(): readonly Buffer[]
  /** Addresses of the WebSockets that were opened. */
  sockets(): readonly string[]
}

export interface Person {
  page: Page
  context: BrowserContext
  traffic: Traffic
}

export interface Surroundings {
  locale?: string
  /** A touch screen, as narrow as most. */
  isPhone?: boolean
  userAgent?: string
  /** False to join with microphone and camera off: a person who sends nothing costs little. */
  hasDevices?: boolean
  /** False to join with the camera off: pictures are nearly all of the work that a page sends and others show. */
  hasCamera?: boolean
  /** Features that the oldest supported browsers lack. They are removed from the page unless this is true. */
  hasNewerFeatures?: boolean
  /** Runs in the page before its own scripts: removes or changes features of this browser. */
  before?: string
  /** Runs before the page is opened, and may change its requests. */
  prepare?: (context: BrowserContext) => Promise<unknown>
  /** True for a person who does not touch the page between two presses. A phone's controls hide from them. */
  isStill?: boolean
  /** False for a person who has turned scripts off. */
  hasScripts?: boolean
}

/**
 * Opens a link in a separate context and records every answer, frame and console line. Its page finds no feature that the oldest
 * supported browsers lack.
 */
export async function openAs(
  browser: Browser,
  link: string,
  {
    locale = 'en-US',
    isPhone = false,
    userAgent,
    hasDevices = true,
    hasCamera = hasDevices,
    hasNewerFeatures = false,
    before,
    prepare,
    isStill = false,
    hasScripts = true,
  }: Surroundings = {},
): Promise<Person> {
  const context = await browser.newContext({
    locale,
    javaScriptEnabled: hasScripts,
    timezoneId: 'Asia/Tokyo',
    viewport: isPhone ? { width: 390, height: 844 } : { width: 1280, height: 800 },
    isMobile: isPhone,
    hasTouch: isPhone,
    ...(userAgent === undefined ? {} : { userAgent }),
  })
  context.setDefaultTimeout(SOON_MS)
  await context.grantPermissions(['camera', 'microphone'])
  if (!hasNewerFeatures) await context.addInitScript(forgetNewerFeatures)
  if (before !== undefined) await context.addInitScript({ content: before })
  await context.addInitScript(hearUnfiltered)
  if (!hasCamera) await context.addInitScript(rememberDevices, { isMicrophoneOn: hasDevices })
  await context.addInitScript(watchPeerConnections)
  await context.addInitScript(watchStreams)
  if (!isStill) await context.addInitScript(keepTouching)
  await prepare?.(context)
  const page = await context.newPage()
  const seen: string[] = []
  const frames: Buffer[] = []
  const sockets: string[] = []
  page.on('websocket', (socket) => {
    sockets.push(socket.url())
    socket.on('framereceived', ({ payload }) => {
      seen.push(payload.toString())
      if (typeof payload !== 'string') frames.push(payload)
    })
  })
  page.on('response', (response) => {
    seen.push(response.url())
    if (!response.url().includes('/api/')) return
    void response.text().then(
      (text) => seen.push(text),
      () => {},
    )
  })
  page.on('console', (message) => seen.push(message.text()))
  await page.goto(link)
  const traffic = { text: () => seen.join('\n'), frames: () => frames, sockets: () => sockets }
  return { page, context, traffic }
}

/** Runs in the page: a finger that keeps moving. */
function keepTouching(): void {
  setInterval(() => globalThis.dispatchEvent(new Event('touchmove')), 1_000)
}

/** Presses Join on the device check and waits until the room is live. */
export async function join(person: Pick<Person, 'page'>): Promise<void> {
  await enterRoom(person).catch(async (error: Error) => {
    // A page that is gone must not hide the reason.
    const seen = await describePage(person.page).catch(String)
    throw new Error(`${error.message}\n${seen}`, { cause: error })
  })
}

/** The visible text of the page, and the state of its media connections. */
export async function describePage(page: Page): Promise<string> {
  return page.evaluate(() => {
    const { peerConnections } = globalThis as unknown as WatchedWindow
    const connections = peerConnections.map((pc) => {
      const states = [pc.connectionState, pc.signalingState, pc.iceConnectionState]
      return [...states, pc.sctp?.transport.state ?? 'without DTLS'].join(', ')
    })
    return `The page: ${document.body.innerText}\nIts connections: ${connections.join('; ')}`
  })
}

async function enterRoom({ page }: Pick<Person, 'page'>): Promise<void> {
  await joinButton(page).click(SOON)
  const room = liveRoom(page)
  const consent = consentButton(page, 'give')
  // Only panelists are asked, and only the first time.
  await room.or(consent).first().waitFor(SOON)
  if (await consent.isVisible()) await consent.click()
  await room.waitFor(SOON)
}

/**
 * Runs in the page before its own scripts: turns off the filters for echo and noise, which the false microphone does not need. In a
 * room of two, the filters are a tenth of all work.
 */
function hearUnfiltered(): void {
  // Missing if a page is not secure, or a test has removed it.
  const devices = navigator.mediaDevices as MediaDevices | undefined
  if (devices === undefined) return
  const original = devices.getUserMedia.bind(devices)
  devices.getUserMedia = async (wish = {}) => {
    const { audio } = wish
    if (audio === undefined || audio === false) return original(wish)
    const filters = { echoCancellation: false, noiseSuppression: false, autoGainControl: false }
    return original({ ...wish, audio: { ...(audio === true ? {} : audio), ...filters } })
  }
}

/** Runs in the page before its own scripts: stores the choice of a person who turned the camera off, or everything. */
function rememberDevices({ isMicrophoneOn }: { isMicrophoneOn: boolean }): void {
  const remembered = { isMicrophoneOn, isCameraOn: false }
  localStorage['interview-room.devices'] ??= JSON.stringify(remembered)
}

interface WatchedWindow {
  peerConnections: RTCPeerConnection[]
}

/** Runs in the page before its own scripts: keeps the peer connections for the test. */
function watchPeerConnections(): void {
  const watched = globalThis as unknown as WatchedWindow & typeof globalThis
  watched.peerConnections = []
  const Original = watched.RTCPeerConnection
  watched.RTCPeerConnection = class extends Original {
    constructor(configuration?: RTCConfiguration) {
      super(configuration)
      watched.peerConnections.push(this)
    }
  }
}

/** Runs in the page before its own scripts: acts as a firewall that passes only traffic to a TURN server. */
export const RELAYS_ONLY = `
  globalThis.RTCPeerConnection = class extends RTCPeerConnection {
    constructor(configuration) {
      super({ ...configuration, iceTransportPolicy: 'relay' })
    }
    setConfiguration(configuration) {
      super.setConfiguration({ ...configuration, iceTransportPolicy: 'relay' })
    }
  }
`

/** The number of the page's connections that send through a relay. */
export async function relayedConnections(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const { peerConnections } = globalThis as unknown as WatchedWindow
    let count = 0
    for (const connection of peerConnections) {
      const report = new Map<string, Record<string, string>>(await connection.getStats())
      const rows = [...report.values()]
      const transports = rows.filter(({ type }) => type === 'transport')
      const isRelayed = transports.some(({ selectedCandidatePairId = '' }) => {
        const { localCandidateId = '' } = report.get(selectedCandidatePairId) ?? {}
        return report.get(localCandidateId)?.['candidateType'] === 'relay'
      })
      if (isRelayed) count += 1
    }
    return count
  })
}

interface StreamingWindow {
  streamed: string
}

/** Runs in the page before its own scripts: keeps the data of live streams, which never end. */
function watchStreams(): void {
  const watched = globalThis as unknown as StreamingWindow & typeof globalThis
  watched.streamed = ''
  const original = watched.fetch
  watched.fetch = async (...request) => {
    const response = await original(...request)
    if (response.headers.get('content-type')?.startsWith('text/event-stream')) {
      const body = response.clone().body?.pipeThrough(new TextDecoderStream())
      void (async () => {
        for await (const text of body ?? []) watched.streamed += text
      })().catch(() => {})
    }
    return response
  }
}

/** Everything that this page has received on its live streams. */
export async function streamedText(page: Page): Promise<string> {
  return page.evaluate(() => (globalThis as unknown as StreamingWindow).streamed)
}

/** The number of frames that this person's tile has shown so far. */
export async function framesShown(page: Page, name: string): Promise<number> {
  return tile(page, name)
    .locator('video')
    .evaluate((video: HTMLVideoElement) => video.getVideoPlaybackQuality().totalVideoFrames)
}

export interface InboundAudio {
  streams: number
  packets: number
}

/** Audio received by the page: streams with packets, and all packets. */
export async function inboundAudio(page: Page): Promise<InboundAudio> {
  return page.evaluate(async () => {
    const { peerConnections } = globalThis as unknown as WatchedWindow
    let streams = 0
    let packets = 0
    for (const connection of peerConnections) {
      for (const report of (await connection.getStats()).values()) {
        const isAudio = report.type === 'inbound-rtp' && report.kind === 'audio'
        if (!isAudio || report.packetsReceived === 0) continue
        streams += 1
        packets += report.packetsReceived
      }
    }
    return { streams, packets }
  })
}

/** Video bytes received by the page. */
export async function inboundVideoBytes(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const { peerConnections } = globalThis as unknown as WatchedWindow
    let bytes = 0
    for (const connection of peerConnections) {
      for (const report of (await connection.getStats()).values()) {
        if (report.type === 'inbound-rtp' && report.kind === 'video') bytes += report.bytesReceived
      }
    }
    return bytes
  })
}

/** Every session description and every statistics row of the page's peer connections. */
export async function peerConnectionText(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const { peerConnections } = globalThis as unknown as WatchedWindow
    const parts: string[] = []
    for (const connection of peerConnections) {
      parts.push(connection.remoteDescription?.sdp ?? '', connection.localDescription?.sdp ?? '')
      for (const report of (await connection.getStats()).values())
        parts.push(JSON.stringify(report))
    }
    return parts.join('\n')
  })
}

/** Everything that the page holds: its document, its storage, and its rendered text. */
export async function keptText(page: Page): Promise<string> {
  const stored = await page.evaluate(async () => {
    const databases = await indexedDB.databases()
    const kept = [localStorage, sessionStorage, document.cookie, await caches.keys(), databases]
    return JSON.stringify(kept)
  })
  return `${await page.content()}\n${stored}`
}
