import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import {
  framesShown,
  join,
  launchBrowser,
  openAs,
  type Person,
} from '@interview-room/e2e/src/harness/browser.ts'
import { freePort, removeDataDir, startService } from '@interview-room/e2e/src/harness/service.ts'
import { AS_BY_DEFAULT, actAsTenant, type Tenant } from '@interview-room/e2e/src/harness/tenant.ts'
import { startMeasuredMediaServer } from './measured-media-server.ts'
import type { ProcessUsage } from './process-usage.ts'

const PUBLISHERS = ['Mori', 'Pana'] as const
const OBSERVERS = 4
const SAMPLE_EVERY_SEC = 30

interface Sample {
  atSec: number
  /** Frames per second that the publishers' encoders sent, as the mean of both. It is the floor of this run. */
  sentFps: number
  /** Frames per second that an observer saw of one publisher, as the mean of all pairs. */
  shownFps: number
  media: ProcessUsage
}

/** Two publishers at 640x480 and four observers in real browsers, on the embedded media server. */
export async function measureMediaRoom(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { minutes: { type: 'string', default: '10' } } })
  const minutes = Number(values.minutes)
  const port = await freePort()
  const media = await startMeasuredMediaServer({ notifies: port })
  const service = await startService({ port, env: media.settings })
  const browser = await launchBrowser()
  try {
    const tenant = actAsTenant(service.local)
    const people = await fillRoom(tenant, (link) => openAs(browser, link))
    const samples: Sample[] = []
    let previous = await count(people, media)
    const start = performance.now()
    while (performance.now() - start < minutes * 60_000) {
      await delay(SAMPLE_EVERY_SEC * 1000)
      const now = await count(people, media)
      const sample = difference(previous, now, start)
      samples.push(sample)
      console.log(line(sample))
      previous = now
    }
    report(samples)
  } finally {
    await browser.close()
    await service.stop()
    media.stop()
    removeDataDir(service.dataDir)
  }
}

interface People {
  publishers: Person[]
  observers: Person[]
}

async function fillRoom(tenant: Tenant, open: (link: string) => Promise<Person>): Promise<People> {
  const room = await tenant.book({
    room: { ...AS_BY_DEFAULT, stream_resolution: '640x480', stream_frame_rate: 15 },
  })
  async function enter(role: string, name: string): Promise<Person> {
    const person = await open(await tenant.link({ roomId: room.id, role, name }))
    await join(person)
    return person
  }
  const publishers = [
    await enter('moderator', PUBLISHERS[0]),
    await enter('panelist', PUBLISHERS[1]),
  ]
  const observers: Person[] = []
  for (let n = 1; n <= OBSERVERS; n += 1) observers.push(await enter('observer', `Observer ${n}`))
  return { publishers, observers }
}

interface MediaCount {
  atMs: number
  sent: number
  shown: number
  media: ProcessUsage
}

async function count(
  { publishers, observers }: People,
  media: { usage(): Promise<ProcessUsage> },
): Promise<MediaCount> {
  const sent = await Promise.all(publishers.map((publisher) => framesSent(publisher)))
  const shown = await Promise.all(
    observers.flatMap(({ page }) => PUBLISHERS.map((name) => framesShown(page, name))),
  )
  return {
    atMs: performance.now(),
    sent: mean(sent),
    shown: mean(shown),
    media: await media.usage(),
  }
}

async function framesSent({ page }: Person): Promise<number> {
  return page.evaluate(async () => {
    const watched = globalThis as unknown as { peerConnections: RTCPeerConnection[] }
    let frames = 0
    for (const connection of watched.peerConnections) {
      for (const row of (await connection.getStats()).values()) {
        if (row.type === 'outbound-rtp' && row.kind === 'video') frames += row.framesSent
      }
    }
    return frames
  })
}

function difference(before: MediaCount, after: MediaCount, startMs: number): Sample {
  const seconds = (after.atMs - before.atMs) / 1000
  return {
    atSec: Math.round((after.atMs - startMs) / 1000),
    sentFps: (after.sent - before.sent) / seconds,
    shownFps: (after.shown - before.shown) / seconds,
    media: {
      cpuSec: (after.media.cpuSec - before.media.cpuSec) / seconds,
      rssMiB: after.media.rssMiB,
      liveMiB: after.media.liveMiB,
    },
  }
}

function line(sample: Sample): string {
  return [
    `${sample.atSec} s`,
    `sent ${sample.sentFps.toFixed(1)} fps`,
    `shown ${sample.shownFps.toFixed(1)} fps (${(sample.shownFps / sample.sentFps).toFixed(2)})`,
    `media server ${(sample.media.cpuSec * 100).toFixed(0)} % of a core`,
    `${sample.media.liveMiB.toFixed(1)} MiB alive of ${sample.media.rssMiB.toFixed(0)} resident`,
  ].join(', ')
}

/** The growth compares live memory in the last third with the middle third, after the warm-up. */
function report(samples: Sample[]): void {
  const third = Math.floor(samples.length / 3)
  const middle = mean(samples.slice(third, 2 * third).map((sample) => sample.media.liveMiB))
  const last = mean(samples.slice(2 * third).map((sample) => sample.media.liveMiB))
  const ratio = mean(samples.map((sample) => sample.shownFps / sample.sentFps))
  console.log(`\nframes shown per frame sent: ${ratio.toFixed(3)}`)
  console.log(
    `CPU of the media server: ${(mean(samples.map((each) => each.media.cpuSec)) * 100).toFixed(0)} % of a core`,
  )
  console.log(`live memory, last third over middle third: ${(last / middle).toFixed(3)}`)
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / Math.max(numbers.length, 1)
}
