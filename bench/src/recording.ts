import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
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
  type OwnService,
  removeDataDir,
  startService,
} from '@interview-room/e2e/src/harness/service.ts'
import { actAsTenant, type Tenant } from '@interview-room/e2e/src/harness/tenant.ts'
import {
  extractEntry,
  readEntry,
} from '@interview-room/server/src/domain/recording/transcriptions/unzip.ts'
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
  service: OwnService
  tenant: Tenant
  media: MeasuredMediaServer
  outputDir: string
  /** For files that go away with the stage. */
  folder: string
  seconds: number
}

/** All in seconds of CPU for a minute of recording. */
interface Row {
  resolution: ArchiveResolution
  mode: OutputMode
  /** The media server without recording: forwarding, between the same people. */
  forwarding: number
  /** What writing the captures adds to the media server while the room runs. */
  capture: number
  /** Making the files of the captures, after the stop: the worker's children. */
  compose: number
  /** The floor: plain ffmpeg that encodes the same files again with the same settings. */
  encode: number
  composeToEncode: number
  /** From the stop to `available`, seconds on the clock for a minute of recording. */
  waited: number
}

/** What it costs to record two people: the embedded media server captures, the service's worker composes. */
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
  const env = { ...media.settings, STORAGE_DIR: outputDir, RECORDING_FROM_CAPTURES: 'true' }
  const service = await startService({ port, env })
  const tenant = actAsTenant(service.local)
  const stage = { service, tenant, media, outputDir, folder, seconds: Number(values.seconds) }
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
  { service, tenant, media, outputDir, folder, seconds }: Stage,
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
    const before = recordingsBelow(outputDir)
    const childrenBefore = cpuSecOfChildren(service.pid)
    const stoppedAt = performance.now()
    await moderator.post('/recording/stop')
    await untilAvailable(tenant, roomId)
    const waited = (performance.now() - stoppedAt) / 1000
    // The worker only starts what composes, and waits for it.
    const compose = cpuSecOfChildren(service.pid) - childrenBefore
    const [made, ...others] = recordingsBelow(outputDir).filter((file) => !before.includes(file))
    if (made === undefined || others.length > 0) throw new Error('one file was expected')
    const encode = encodeAnew(await videosOf(made, folder), resolution)
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

async function untilAvailable(tenant: Tenant, roomId: string): Promise<void> {
  const recording = await untilEnded(tenant, roomId)
  if (recording?.status !== 'available') throw new Error('nothing was recorded')
}

function encodeAnew(files: readonly string[], resolution: ArchiveResolution): number {
  const before = cpuSecOfChildren()
  const videoKbps = resolution === '640x480' ? 1000 : 2500
  const motion = '-preset veryfast -x264-params me=dia:subme=1'
  const picture = `-c:v libx264 ${motion} -crf 23.4 -maxrate ${videoKbps}k -bufsize ${videoKbps * 2}k`
  for (const file of files) {
    const output = `${picture} -c:a aac -aac_coder fast -f mp4`.split(' ')
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

/** The recordings in the storage: videos, and archives of individual ones. */
function recordingsBelow(outputDir: string): string[] {
  return readdirSync(outputDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.parentPath.endsWith('/recordings'))
    .map((entry) => path.join(entry.parentPath, entry.name))
}

async function videosOf(recording: string, folder: string): Promise<string[]> {
  if (recording.endsWith('.mp4')) return [recording]
  const manifest = await readEntry(recording, 'manifest.json')
  const { files } = JSON.parse(manifest.toString()) as { files: { name: string }[] }
  const videos: string[] = []
  for (const [i, { name }] of files.entries()) {
    const video = path.join(folder, `${i}.mp4`)
    await extractEntry(recording, name, video)
    videos.push(video)
  }
  return videos
}
