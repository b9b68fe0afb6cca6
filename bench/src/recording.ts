import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import type { ArchiveResolution, OutputMode } from '@interview-room/contract/vocabulary.ts'
import { enterByHand } from '@interview-room/e2e/src/harness/api-participant.ts'
import { join, launchBrowser, openAs } from '@interview-room/e2e/src/harness/browser.ts'
import type { MediaServer } from '@interview-room/e2e/src/harness/provider.ts'
import { untilEnded, untilRecorded } from '@interview-room/e2e/src/harness/recorded.ts'
import {
  freePort,
  type OwnService,
  removeDataDir,
  startService,
} from '@interview-room/e2e/src/harness/service.ts'
import { actAsTenant, type Tenant } from '@interview-room/e2e/src/harness/tenant.ts'
import { writeVoice } from '@interview-room/e2e/src/harness/video.ts'
import {
  extractEntry,
  readEntry,
} from '@interview-room/server/src/domain/recording/transcriptions/unzip.ts'
import { costOfVoices, KeptCaptures } from './composed-voices.ts'
import { machine } from './machine.ts'
import { startMeasuredMediaServer } from './measured-media-server.ts'
import { type NodeProcess, startNode } from './node-process.ts'
import { cpuSecOfChildren, cpuSecOfTree } from './process-usage.ts'
import { cpuOfComposite } from './room-composite.ts'
import { roundedRow } from './statistics.ts'

const RESOLUTIONS: readonly ArchiveResolution[] = ['640x480', '1280x720']
const MODES: readonly OutputMode[] = ['composed', 'individual']
const PEOPLE = [
  { role: 'moderator', name: 'Mori' },
  { role: 'panelist', name: 'Pana' },
] as const

const VIDEO_KBPS: Record<ArchiveResolution, number> = { '640x480': 1000, '1280x720': 2500 }

interface Stage {
  service: OwnService
  tenant: Tenant
  media: MediaServer
  recorder: NodeProcess
  /** The process id of LiveKit Egress, if it works for this media server. */
  workerPid: number | undefined
  outputDir: string
  /** A temporary folder that is deleted with the stage. */
  folder: string
  seconds: number
}

/** Seconds of CPU for a minute of recording, unless a member says otherwise. */
interface Row {
  resolution: ArchiveResolution
  mode: OutputMode
  /** The recorder, from the start to the stop: it joins the room, captures it and delivers the capture. */
  capture: number
  /** Composing the files, while they are recorded and after that: the worker's children. */
  compose: number
  all: number
  /** The floor: plain ffmpeg that encodes the same files again with the same settings. */
  encode: number
  composeToEncode: number
  /** Composing with the sound of each person, as a ratio to the same without it. */
  withVoices: number | undefined
  /**
   * A room composite of LiveKit Egress of the same room, in the following minute. Undefined without LiveKit Egress.
   */
  composite: number | undefined
  allToComposite: number | undefined
  /** Seconds on the clock from the stop to `available`, whatever the length. */
  waited: number
}

/**
 * Measures the cost of recording two people: a recorder captures, and the service's worker composes. It uses the
 * LiveKit server of the environment, or the embedded one. If LiveKit Egress runs, it composes the same room, too.
 */
export async function measureRecording(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      seconds: { type: 'string', default: '60' },
      only: { type: 'string' },
      resolution: { type: 'string' },
    },
  })
  const folder = mkdtempSync(path.join(tmpdir(), 'bench-recording-'))
  const outputDir = path.join(folder, 'storage')
  mkdirSync(outputDir)
  const cleanup = new AsyncDisposableStack()
  cleanup.defer(() => rmSync(folder, { recursive: true, force: true }))
  try {
    const port = await freePort()
    const media = liveKitOf(process.env) ?? (await startEmbedded(port, cleanup))
    const recorderUrl = `http://127.0.0.1:${await freePort()}`
    const keys = {
      LIVEKIT_URL: media.url,
      LIVEKIT_API_KEY: media.apiKey,
      LIVEKIT_API_SECRET: media.apiSecret,
    }
    const env = {
      ...keys,
      LIVEKIT_EGRESS_URL: recorderUrl,
      STORAGE_DIR: outputDir,
      RECORDING_FROM_CAPTURES: 'true',
    }
    const service = await startService({ port, env })
    cleanup.defer(() => removeDataDir(service.dataDir))
    cleanup.defer(async () => void (await service.stop()))
    const recorder = await startNode({
      command: ['media-server/bin/interview-recorder.js'],
      env: {
        ...keys,
        PORT: new URL(recorderUrl).port,
        WEBHOOK_URL: `${service.local.base_url}/api/v1/provider-events`,
        EGRESS_DIR: path.join(folder, 'egress'),
        EGRESS_OUTPUT_DIR: outputDir,
      },
      logFile: path.join(folder, 'recorder.log'),
    })
    cleanup.defer(recorder.stop)
    const stage: Stage = {
      service,
      tenant: actAsTenant(service.local),
      media,
      recorder,
      workerPid: Number(process.env['LIVEKIT_EGRESS_PID'] ?? '') || undefined,
      outputDir,
      folder,
      seconds: Number(values.seconds),
    }
    const rows: Row[] = []
    for (const resolution of RESOLUTIONS.filter((each) => each === (values.resolution ?? each))) {
      for (const mode of MODES.filter((each) => each === (values.only ?? each))) {
        const row = await measure(stage, { resolution, mode })
        // A run is long. Print each row at once, so that an aborted run has shown something.
        console.log(JSON.stringify(roundedRow(row)))
        rows.push(row)
      }
    }
    console.log('\nCPU seconds for a recorded minute of two people:')
    console.table(rows.map((row) => roundedRow(row)))
    const conditions = { seconds: stage.seconds, people: PEOPLE.length }
    console.log(JSON.stringify({ bench: 'recording', machine: machine(), conditions, rows }))
  } finally {
    await cleanup.disposeAsync()
  }
}

function liveKitOf(env: NodeJS.ProcessEnv): MediaServer | undefined {
  const { LIVEKIT_URL: url = '', LIVEKIT_API_KEY: apiKey, LIVEKIT_API_SECRET: apiSecret } = env
  if (url === '') return undefined
  if (!apiKey || !apiSecret) throw new Error('LIVEKIT_API_KEY and LIVEKIT_API_SECRET are missing')
  return { url: url.replace(/^ws/, 'http'), apiKey, apiSecret }
}

async function startEmbedded(
  notifies: number,
  cleanup: AsyncDisposableStack,
): Promise<MediaServer> {
  const media = await startMeasuredMediaServer({ notifies })
  cleanup.defer(() => media.stop())
  return media.server
}

async function measure(
  stage: Stage,
  { resolution, mode }: Pick<Row, 'resolution' | 'mode'>,
): Promise<Row> {
  const { service, tenant, recorder, outputDir, folder, seconds } = stage
  const { id: roomId } = await tenant.book({
    room: {
      archive_mode: 'manual',
      archive_resolution: resolution,
      stream_resolution: '640x480',
      stream_frame_rate: 15,
    },
  })
  const voice = path.join(folder, 'voice.wav')
  writeVoice(voice, 180)
  const browser = await launchBrowser([`--use-file-for-fake-audio-capture=${voice}`])
  try {
    for (const person of PEOPLE) {
      await join(await openAs(browser, await tenant.link({ roomId, ...person })))
    }
    const minutes = seconds / 60
    const baseUrl = service.local.base_url
    const who = { baseUrl, roomId, role: 'moderator', name: 'By hand' }
    const moderator = await enterByHand(tenant, who)
    const recorderBefore = cpuSecOfTree(recorder.pid)
    const childrenBefore = cpuSecOfChildren(service.pid)
    await moderator.post('/recording/start', { output_mode: mode })
    await untilRecorded(moderator, seconds)
    const before = recordingsBelow(outputDir)
    const stoppedAt = performance.now()
    await moderator.post('/recording/stop')
    const captures = new KeptCaptures(outputDir, path.join(folder, `captures-${roomId}`))
    await untilAvailable(tenant, roomId).finally(() => captures.stop())
    const waited = (performance.now() - stoppedAt) / 1000
    const capture = (cpuSecOfTree(recorder.pid) - recorderBefore) / minutes
    // The worker only starts the composing processes and waits for them.
    const compose = (cpuSecOfChildren(service.pid) - childrenBefore) / minutes
    const [made, ...others] = recordingsBelow(outputDir).filter((file) => !before.includes(file))
    if (made === undefined || others.length > 0) throw new Error('one file was expected')
    const encode = encodeAnew(await videosOf(made, folder), resolution) / minutes
    const composite = await compositeOf(stage, { roomId, resolution, mode })
    const all = capture + compose
    return {
      resolution,
      mode,
      capture,
      compose,
      all,
      encode,
      composeToEncode: compose / encode,
      withVoices:
        mode === 'composed' ? await costOfVoices(await captures.unpack(), resolution) : undefined,
      composite,
      allToComposite: composite === undefined ? undefined : all / composite,
      waited,
    }
  } finally {
    await browser.close()
    await tenant.close(roomId)
  }
}

async function compositeOf(
  { media, workerPid, seconds }: Stage,
  { roomId, resolution, mode }: Pick<Row, 'resolution' | 'mode'> & { roomId: string },
): Promise<number | undefined> {
  if (workerPid === undefined || mode !== 'composed') return undefined
  const videoKbps = VIDEO_KBPS[resolution]
  const plan = { server: media, workerPid, roomId, resolution, videoKbps, seconds }
  return (await cpuOfComposite(plan)) / (seconds / 60)
}

async function untilAvailable(tenant: Tenant, roomId: string): Promise<void> {
  const recording = await untilEnded(tenant, roomId)
  if (recording?.status !== 'available') throw new Error('nothing was recorded')
}

function encodeAnew(files: readonly string[], resolution: ArchiveResolution): number {
  const before = cpuSecOfChildren()
  const videoKbps = VIDEO_KBPS[resolution]
  const motion = '-preset veryfast -x264-params me=dia:subme=1:partitions=i4x4'
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

/** The recordings in the storage: videos, and archives of individual tracks. */
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
