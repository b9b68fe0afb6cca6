import { spawnSync } from 'node:child_process'
import { linkSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { ArchiveResolution, OutputMode } from '@interview-room/contract/vocabulary.ts'
import { enterByHand } from '@interview-room/e2e/src/harness/api-participant.ts'
import { join, launchBrowser, openAs } from '@interview-room/e2e/src/harness/browser.ts'
import { untilEnded, untilRecorded } from '@interview-room/e2e/src/harness/recorded.ts'
import {
  freePort,
  removeDataDir,
  type Service,
  startService,
} from '@interview-room/e2e/src/harness/service.ts'
import { actAsTenant, type Tenant } from '@interview-room/e2e/src/harness/tenant.ts'
import { machine } from './machine.ts'
import { type MeasuredMediaServer, startMeasuredMediaServer } from './measured-media-server.ts'
import { cpuSecOf, cpuSecOfChildren } from './process-usage.ts'
import { roundedRow } from './statistics.ts'

const RESOLUTIONS: readonly ArchiveResolution[] = ['640x480', '1280x720']
const MODES: readonly OutputMode[] = ['composed', 'individual']
const PEOPLE = [
  { role: 'moderator', name: 'Mori' },
  { role: 'panelist', name: 'Pana' },
] as const

interface Stage {
  service: Service
  tenant: Tenant
  media: MeasuredMediaServer
  outputDir: string
  seconds: number
}

/** All in seconds of CPU for a minute of recording. */
interface Row {
  resolution: ArchiveResolution
  mode: OutputMode
  /** The media server without recording: forwarding, between the same people. */
  forwarding: number
  /** What recording adds while the room runs. */
  capture: number
  /** Making the file, after the stop. */
  compose: number
  /** The floor: plain ffmpeg that encodes the same file again with the same settings. */
  encode: number
  composeToEncode: number
  /** From the stop to `available`, seconds on the clock for a minute of recording. */
  waited: number
}

/** What it costs the embedded media server to record two people. */
export async function measureRecording(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { seconds: { type: 'string', default: '60' } } })
  const folder = mkdtempSync(path.join(tmpdir(), 'bench-recording-'))
  const outputDir = path.join(folder, 'storage')
  mkdirSync(outputDir)
  const port = await freePort()
  const media = await startMeasuredMediaServer({
    notifies: port,
    egress: { dir: path.join(folder, 'egress'), outputDir },
  })
  const service = await startService({ port, env: { ...media.settings, STORAGE_DIR: outputDir } })
  const tenant = actAsTenant(service.local)
  const stage = { service, tenant, media, outputDir, seconds: Number(values.seconds) }
  try {
    const rows: Row[] = []
    for (const resolution of RESOLUTIONS) {
      for (const mode of MODES) rows.push(await measure(stage, { resolution, mode }))
    }
    console.log('\nCPU seconds for a recorded minute of two people:')
    console.table(rows.map((row) => roundedRow(row)))
    const conditions = { seconds: stage.seconds, people: PEOPLE.length }
    console.log(JSON.stringify({ bench: 'recording', machine: machine(), conditions, rows }))
  } finally {
    await service.stop()
    media.stop()
    removeDataDir(service.dataDir)
    rmSync(folder, { recursive: true, force: true })
  }
}

async function measure(
  { service, tenant, media, outputDir, seconds }: Stage,
  { resolution, mode }: Pick<Row, 'resolution' | 'mode'>,
): Promise<Row> {
  const { id: roomId } = await tenant.book({
    room: {
      archive_mode: 'manual',
      archive_resolution: resolution,
      stream_resolution: '640x480',
      stream_frame_rate: 15,
    },
  })
  const browser = await launchBrowser()
  try {
    for (const person of PEOPLE) {
      await join(await openAs(browser, await tenant.link({ roomId, ...person })))
    }
    const minutes = seconds / 60
    const baseUrl = service.local.base_url
    const who = { baseUrl, roomId, role: 'moderator', name: 'By hand' }
    const moderator = await enterByHand(tenant, who)
    const forwarding = await cpuDuring(media, () => delay(seconds * 1000))
    const running = await cpuDuring(media, async () => {
      await moderator.post('/recording/start', { output_mode: mode })
      await untilRecorded(moderator, seconds)
    })
    const before = partsBelow(outputDir)
    const childrenBefore = cpuSecOfChildren(media.pid)
    const stoppedAt = performance.now()
    await moderator.post('/recording/stop')
    const parts = await keepParts(outputDir, { before, until: untilEnded(tenant, roomId) })
    const waited = (performance.now() - stoppedAt) / 1000
    // The media server itself keeps forwarding: composing is its children's work.
    const compose = cpuSecOfChildren(media.pid) - childrenBefore
    const encode = encodeAnew(parts, resolution)
    const perMinute = (sec: number) => sec / minutes
    return {
      resolution,
      mode,
      forwarding: perMinute(forwarding),
      capture: perMinute(running - forwarding),
      compose: perMinute(compose),
      encode: perMinute(encode),
      composeToEncode: compose / encode,
      waited: perMinute(waited),
    }
  } finally {
    await browser.close()
    await tenant.close(roomId)
  }
}

async function cpuDuring(
  { pid }: MeasuredMediaServer,
  work: () => Promise<unknown>,
): Promise<number> {
  const before = cpuSecOf(pid) + cpuSecOfChildren(pid)
  await work()
  return cpuSecOf(pid) + cpuSecOfChildren(pid) - before
}

/** What the media server wrote: parts are gone soon after their recording is available. */
async function keepParts(
  outputDir: string,
  { before, until }: { before: readonly string[]; until: Promise<unknown> },
): Promise<string[]> {
  const kept: string[] = []
  const ended = until.then(() => true)
  do {
    const parts = partsBelow(outputDir).filter((file) => !before.includes(file))
    for (const part of parts) {
      const link = path.join(outputDir, '..', path.basename(part))
      if (kept.includes(link)) continue
      linkSync(part, link)
      kept.push(link)
    }
  } while (!(await Promise.race([ended, delay(20, false)])))
  if (kept.length === 0) throw new Error('nothing was recorded')
  return kept
}

function encodeAnew(files: readonly string[], resolution: ArchiveResolution): number {
  const before = cpuSecOfChildren()
  const videoKbps = resolution === '640x480' ? 1000 : 2500
  const picture = `-c:v libx264 -preset veryfast -crf 23 -maxrate ${videoKbps}k -bufsize ${videoKbps * 2}k`
  for (const file of files) {
    const output = `${picture} -c:a aac -f mp4`.split(' ')
    const { status } = spawnSync('ffmpeg', [
      '-v',
      'error',
      '-y',
      '-i',
      file,
      ...output,
      '/dev/null',
    ])
    if (status !== 0) throw new Error('plain ffmpeg failed')
  }
  return cpuSecOfChildren() - before
}

function partsBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.parentPath.endsWith('recording-parts'))
    .map((entry) => path.join(entry.parentPath, entry.name))
}
