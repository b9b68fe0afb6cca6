import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { RecordingCompletenessBody } from '@interview-room/contract/recording-reports.ts'
import {
  startTestS3,
  type TestS3,
} from '@interview-room/server/src/platform/storage/testing/s3-server.ts'
import { buildGoTool, HAS_GO } from '@interview-room/server/src/testing/go-tools.ts'
import { IS_FULL_RUN } from '@interview-room/server/src/testing/scope.ts'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { openRecordedRoom, untilEnded, untilRecorded } from './harness/recorded.ts'
import { type RecorderProcess, recorderOf } from './harness/recorder-process.ts'
import { freePort } from './harness/service.ts'
import { useTestEnvironment } from './harness/test-environment.ts'
import { settingsOfS3 } from './harness/test-s3.ts'
import { openVideo } from './harness/video.ts'
import { waitFor } from './harness/wait.ts'

const HOST = '127.0.0.1'
const SERVICE_PORT = await freePort()
const BUILD_MS = 45 * 60_000
const LIVEKIT = { program: 'github.com/livekit/livekit-server/cmd/server', version: 'v1.13.5' }
const KEY = { apiKey: 'devkey', apiSecret: 'a-secret-of-at-least-thirty-two-characters' }
const NOTIFIED = `http://localhost:${SERVICE_PORT}/api/v1/provider-events`
/** The recorder's media ports. */
const UDP_PORTS = '50500:50599'
/** More than a recorder wants to have free. */
const DISK_MIB = 300
const WINDOW_SEC = 0.2
const CENTRE = { x: 0.5, y: 0.5 }
/** The camera's picture gets lighter by nine with each frame. */
const SAME_SHADE = 4
const SILENCE = 0.005
/** Tolerance of the report. */
const OFF_MAX_SEC = 1
/** Before and after the fault. */
const WELL_MS = 6_000

/** Cuts off what comes to the recorder's media ports (`-I`), or mends it (`-D`). */
function iptables(how: '-I' | '-D'): void {
  const rule = ['INPUT', '-p', 'udp', '--dport', UDP_PORTS, '-j', 'DROP']
  execFileSync('iptables', [how, ...rule])
}

/** The time with sound and a picture that changes, as those of the panelist do. A gap is a card without sound. */
async function secondsWhole(bytes: Buffer): Promise<number> {
  const video = await openVideo(bytes)
  const shades = video.coloursAt(CENTRE).map(({ r }) => r)
  const perSec = shades.length / video.durationSec
  const windows = Math.floor(video.durationSec / WINDOW_SEC)
  const whole = Array.from({ length: windows }, (_, i) => i * WINDOW_SEC).filter((fromSec) => {
    const toSec = fromSec + WINDOW_SEC
    const seen = shades.slice(Math.floor(fromSec * perSec), Math.ceil(toSec * perSec) + 1)
    const hasMoved = Math.max(...seen) - Math.min(...seen) > SAME_SHADE
    return hasMoved && video.volume({ fromSec, toSec }) > SILENCE
  })
  video.dispose()
  return whole.length * WINDOW_SEC
}

/** The network is cut and a disk is mounted as root only. */
const IS_ROOT = process.getuid?.() === 0 && spawnSync('iptables', ['--version']).status === 0

describe.skipIf(!IS_FULL_RUN || !HAS_GO || !IS_ROOT)(
  'beside livekit-server, a recording lacks',
  () => {
    let folder: string
    /** The recorder's, small enough to be filled. */
    let disk: string
    let program: string
    let s3: TestS3
    let recorder: RecorderProcess
    let livekit: ChildProcess
    let ports: { livekit: number; tcp: number; recorder: number }

    beforeAll(async () => {
      program = await buildGoTool(LIVEKIT.program, LIVEKIT.version)
      folder = await mkdtemp(path.join(tmpdir(), 'interview-room-losses-'))
      disk = path.join(folder, 'disk')
      await mkdir(disk)
      execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MIB}m`, 'tmpfs', disk])
      s3 = await startTestS3()
      ports = {
        livekit: await freePort(),
        tcp: await freePort(),
        recorder: await freePort(),
      }
      await startLivekit()
    }, BUILD_MS)

    const env = useTestEnvironment({
      ownService: {
        port: SERVICE_PORT,
        env: () => ({
          ...settingsOfS3(s3),
          LIVEKIT_URL: `http://${HOST}:${ports.livekit}`,
          LIVEKIT_API_KEY: KEY.apiKey,
          LIVEKIT_API_SECRET: KEY.apiSecret,
          LIVEKIT_EGRESS_URL: `http://${HOST}:${ports.recorder}`,
        }),
      },
      hasBrowser: false,
    })

    beforeAll(async () => {
      const server = { url: `http://${HOST}:${ports.livekit}`, ...KEY }
      const settings = {
        RTC_PORT_RANGE: UDP_PORTS.replace(':', '-'),
        EGRESS_DIR: path.join(disk, 'recorder'),
      }
      recorder = recorderOf(env.service, ports.recorder, { server, env: settings })
      await recorder.start()
    })

    afterAll(async () => {
      await recorder?.lose()
      execFileSync('umount', [disk])
      await endLivekit()
      await s3?.close()
      await rm(folder, { recursive: true, force: true })
    })

    async function startLivekit({ notifies = true } = {}): Promise<void> {
      const file = path.join(folder, 'livekit.yaml')
      const config = {
        port: ports.livekit,
        bind_addresses: [HOST],
        keys: { [KEY.apiKey]: KEY.apiSecret },
        rtc: { node_ip: HOST, use_external_ip: false, tcp_port: ports.tcp },
        room: { auto_create: false },
        ...(notifies && { webhook: { urls: [NOTIFIED], api_key: KEY.apiKey } }),
      }
      await writeFile(file, JSON.stringify(config))
      livekit = spawn(program, ['--config', file], { stdio: 'ignore' })
      const url = `http://${HOST}:${ports.livekit}`
      await waitFor(async () => (await fetch(url).catch(() => undefined))?.ok === true, {
        what: 'LiveKit answers',
      })
    }

    async function endLivekit(): Promise<void> {
      const ended = once(livekit, 'exit')
      livekit.kill('SIGKILL')
      await ended
    }

    function refusePuts(): void {
      s3.fault = ({ method }) =>
        method === 'PUT' ? { status: 403, code: 'AccessDenied' } : undefined
      onTestFinished(() => void (s3.fault = undefined))
    }

    const FAULTS: [fault: string, happen: () => Promise<unknown>][] = [
      ['nothing', async () => {}],
      [
        'what was lost while LiveKit stood still for 8 s',
        async () => {
          livekit.kill('SIGSTOP')
          await delay(8_000)
          livekit.kill('SIGCONT')
        },
      ],
      [
        'what was lost while LiveKit was killed, which was back after 1 s',
        async () => {
          await endLivekit()
          await delay(1_000)
          await startLivekit()
        },
      ],
      [
        'what a recorder lost that stood still for 8 s',
        async () => {
          recorder.signal('SIGSTOP')
          await delay(8_000)
          recorder.signal('SIGCONT')
        },
      ],
      [
        'what a killed recorder lost, which was back after 2 s',
        async () => {
          await recorder.kill()
          await delay(2_000)
          await recorder.start()
        },
      ],
      [
        'what was lost while UDP to the recorder was cut for 6 s',
        async () => {
          iptables('-I')
          await delay(6_000)
          iptables('-D')
        },
      ],
      [
        'what was lost while the disk of the recorder was full for 8 s',
        async () => {
          const filling = path.join(disk, 'filling')
          await writeFile(filling, Buffer.alloc(DISK_MIB * 2 ** 19))
          await delay(8_000)
          await rm(filling)
        },
      ],
      [
        'nothing where the bucket refused every PUT for 20 s',
        async () => {
          refusePuts()
          await delay(20_000)
          s3.fault = undefined
        },
      ],
      [
        'nothing where the bucket refused every PUT until 10 s after the stop',
        async () => {
          refusePuts()
          setTimeout(() => void (s3.fault = undefined), WELL_MS + 10_000)
        },
      ],
    ]

    test.each(FAULTS)('%s, and the report says as much', async (fault, happen) => {
      await expectSameLoss(fault, happen)
    })

    test('nothing where no webhook of LiveKit comes, and the report says so', async () => {
      await endLivekit()
      await startLivekit({ notifies: false })
      await expectSameLoss('no webhooks', async () => {})
    })

    /** Records a tone and a picture, and compares what the file has of both with what the report says. */
    async function expectSameLoss(fault: string, happen: () => Promise<unknown>): Promise<void> {
      const room = await openRecordedRoom(env)
      await room.moderator.post('/recording/start')
      await untilRecorded(room.moderator, 0)
      await delay(WELL_MS)
      await happen()
      await delay(WELL_MS)
      await room.moderator.post('/recording/stop')
      const recording = await untilEnded(env.tenant, room.roomId)
      await room.panelist.leave()
      expect(recording?.status).toBe('available')
      const url = `/recordings/${recording?.id}`
      const { people } = await dataOf<RecordingCompletenessBody>(`${url}/completeness`)
      const [person] = people
      const { url: file } = await dataOf<{ url: string }>(`${url}/download-url`)
      const wholeSec = await secondsWhole(Buffer.from(await (await fetch(file)).arrayBuffer()))
      const { expected_sec: expectedSec = 0, actual_sec: actualSec = 0 } = person ?? {}
      const reasons = person?.gaps.map(({ reason }) => reason).join()
      process.stdout.write(
        `${fault}: lost ${(expectedSec - wholeSec).toFixed(1)}, reported ${(expectedSec - actualSec).toFixed(1)} of ${expectedSec.toFixed(1)} s, ${reasons}\n`,
      )
      expect(Math.abs(actualSec - wholeSec)).toBeLessThan(OFF_MAX_SEC)
    }

    async function dataOf<T>(of: string): Promise<T> {
      const answer = await env.tenant.call('GET', of)
      return ((await answer.json()) as { data: T }).data
    }
  },
)
