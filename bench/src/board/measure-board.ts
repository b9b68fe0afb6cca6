import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parseArgs } from 'node:util'
import { liveState } from '@interview-room/e2e/src/harness/board-page.ts'
import { launchBrowser } from '@interview-room/e2e/src/harness/browser.ts'
import { linkToBoard } from '@interview-room/e2e/src/harness/operators.ts'
import { removeDataDir, startService } from '@interview-room/e2e/src/harness/service.ts'
import type { Browser, Page } from 'playwright-core'
import { machine } from '../machine.ts'
import { round } from '../statistics.ts'
import { BusyRooms } from './busy-rooms.ts'

const TICK_MS = 1_000
const STREAM = '**/api/v1/board/stream'

/** The smallest page that follows a board: it reads the events and knows the rooms, and shows their number. */
const BARE = `<!doctype html><title>bare</title><p></p><script>
  const known = new Map()
  const keep = (rooms) => {
    for (const room of rooms) known.set(room.id, room)
    document.querySelector('p').textContent = known.size
  }
  const read = async () => {
    const { body } = await fetch('/api/v1/board/stream')
    let rest = ''
    for await (const text of body.pipeThrough(new TextDecoderStream())) {
      const frames = (rest + text).split('\\n\\n')
      rest = frames.pop()
      for (const frame of frames) {
        const { rooms = [], changed = rooms } = JSON.parse(frame.slice(frame.indexOf('data: ') + 6))
        keep(changed)
      }
    }
  }
  read()
</script>`

interface Work {
  /** Shares of one core. */
  mainThread: number
  script: number
  layout: number
  style: number
}

/**
 * Opens the board with many rooms of which some change every second, and measures the work of the page's main thread beside that of
 * a page that only reads the same stream.
 */
export async function measureBoard(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      rooms: { type: 'string', default: '300' },
      changes: { type: 'string', default: '60' },
      seconds: { type: 'string', default: '20' },
    },
  })
  const [rooms, changes, seconds] = [values.rooms, values.changes, values.seconds].map(Number)
  const stream = await startStream({ rooms: rooms ?? 0, changes: changes ?? 0 })
  const service = await startService()
  const browser = await launchBrowser()
  try {
    const link = await linkToBoard(service, { operator: 'bench', name: 'Opal' })
    const page = await openPage(browser, link, stream.url)
    await liveState(page).waitFor()
    const board = await workOf(page, seconds ?? 0)
    await page.close()
    const bare = await openPage(browser, `${stream.url}bare`, stream.url)
    await bare.getByText(String(rooms)).waitFor()
    report(values, {
      board,
      bare: await workOf(bare, seconds ?? 0),
      bytesPerSec: stream.bytesPerSec(),
    })
  } finally {
    await browser.close()
    stream.stop()
    await service.stop()
    removeDataDir(service.dataDir)
  }
}

/** The stream of a board, as the service sends it. */
async function startStream({ rooms, changes }: { rooms: number; changes: number }) {
  const busy = new BusyRooms(rooms, Date.now())
  let [bytes, ticks] = [0, 0]
  const server = createServer((request, response) => {
    if (request.url === '/bare') {
      response.setHeader('content-type', 'text/html').end(BARE)
      return
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(frameOf('board', busy.whole(Date.now())))
    const timer = setInterval(() => {
      const frame = frameOf('rooms', busy.change(changes, Date.now()))
      bytes += frame.length
      ticks += 1
      response.write(frame)
    }, TICK_MS)
    response.on('close', () => clearInterval(timer))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    bytesPerSec: () => Math.round((bytes * 1_000) / (ticks * TICK_MS)),
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}

function frameOf(name: string, data: object): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`
}

async function openPage(browser: Browser, link: string, stream: string): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
  await page.route(STREAM, (route) => route.continue({ url: stream }))
  await page.goto(link)
  return page
}

/** The work of the main thread while the page is open and nobody touches it. */
async function workOf(page: Page, seconds: number): Promise<Work> {
  const debug = await page.context().newCDPSession(page)
  await debug.send('Performance.enable')
  const read = async () => {
    const { metrics } = await debug.send('Performance.getMetrics')
    return (name: string) => metrics.find((each) => each.name === name)?.value ?? 0
  }
  const before = await read()
  await page.waitForTimeout(seconds * 1_000)
  const after = await read()
  const spentSec = after('Timestamp') - before('Timestamp')
  const share = (name: string) => round((after(name) - before(name)) / spentSec, 4)
  return {
    mainThread: share('TaskDuration'),
    script: share('ScriptDuration'),
    layout: share('LayoutDuration'),
    style: share('RecalcStyleDuration'),
  }
}

function report(
  options: object,
  { board, bare, bytesPerSec }: { board: Work; bare: Work; bytesPerSec: number },
): void {
  const ratio = round(board.mainThread / bare.mainThread, 1)
  console.log(`\nshares of one core, with ${Math.round(bytesPerSec / 1000)} kB/s`)
  console.table({ board, 'bare reader': bare })
  console.log(`board : bare reader, main thread: ${ratio}`)
  const results = { ...options, board, bare, bytesPerSec, ratio }
  console.log(JSON.stringify({ bench: 'board', machine: machine(), results }))
}
