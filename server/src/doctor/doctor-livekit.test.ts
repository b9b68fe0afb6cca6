import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import type { Fonts } from '@interview-room/composer/fonts.ts'
import { describe, expect, onTestFinished, test } from 'vitest'
import { installWithApt } from '../local/lib/apt.ts'
import { freePort } from '../local/lib/ports.ts'
import type { CheckResult } from '../platform/checks/check.ts'
import { identifier, openDb, raw } from '../platform/db/db.ts'
import { startTestS3 } from '../platform/storage/testing/s3-server.ts'
import { openDeps } from '../service.ts'
import { TEMPLATE } from '../testing/database.ts'
import { HAS_GO } from '../testing/go-tools.ts'
import {
  connects,
  HOST,
  type Installation,
  KEY,
  OTHER_KEY,
  run,
  startRecording,
  useLivekitServer,
} from '../testing/livekit-server.ts'
import { IS_FULL_RUN } from '../testing/scope.ts'
import { waitFor } from '../testing/wait-for.ts'
import { runDoctor } from './run-doctor.ts'

const NOWHERE = `http://${HOST}:2`
const WAIT_MS = 60_000
const RECORDER = path.resolve(import.meta.dirname, '../../../media-server/src/recorder/main.ts')
const FONTS: Fonts = { latin: 'a.ttf', eastAsian: 'b.ttc', thai: 'c.ttf', rightToLeft: 'a.ttf' }

const has = (file: string, name: string) =>
  IS_FULL_RUN && (existsSync(file) || (installWithApt([name]) && existsSync(file)))
const FAKETIME = '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1'
const HAS_FAKETIME = has(FAKETIME, 'libfaketime')
const HAS_TURN = has('/usr/bin/turnserver', 'coturn')
const HAS_POOLER = has('/usr/sbin/pgbouncer', 'pgbouncer')

type Change = (given: Installation) => unknown

/** A fault, the one check that must name it, and words of its answer. */
type Fault = [fault: string, change: Change, check: string, words: RegExp]

const set =
  (changed: Record<string, string>): Change =>
  ({ settings }) =>
    Object.assign(settings, changed)
const setRoom =
  (changed: Record<string, unknown>): Change =>
  ({ livekit }) =>
    Object.assign(livekit.room, changed)
const setRtc =
  (changed: Record<string, unknown>): Change =>
  ({ livekit }) =>
    Object.assign(livekit.rtc, changed)

function turnServer(port: number) {
  return { host: HOST, port, protocol: 'udp', username: 'tests', credential: 'a-word' }
}

/** Everything that the doctor of a running installation says, except that all is well. */
async function diagnose({ settings }: Installation, fonts = FONTS): Promise<CheckResult[]> {
  const { stdout } = await runDoctor(['--json'], settings, (config) => ({
    ...openDeps({ ...config, logLevel: 'silent' }),
    findFonts: () => fonts,
  }))
  const { checks } = JSON.parse(stdout) as { checks: CheckResult[] }
  return checks.filter(({ result }) => result === 'fail' || result === 'warn')
}

describe.skipIf(!IS_FULL_RUN || !HAS_GO)('npm run doctor beside livekit-server', () => {
  const server = useLivekitServer()

  async function diagnoseWith(change: Change, fonts = FONTS): Promise<CheckResult[]> {
    const installation = server.healthy()
    await change(installation)
    await server.start(installation)
    return diagnose(installation, fonts)
  }

  async function expectFinding(change: Change, check: string, words: RegExp): Promise<void> {
    const found = await diagnoseWith(change)
    expect(found.map((each) => each.check)).toEqual([check])
    expect(found.map(({ detail, mend }) => `${detail}. ${mend}`).join()).toMatch(words)
  }

  /** An address of the database as another user, who is made for one test. */
  async function asRole(how: string): Promise<string> {
    const name = `role_${randomUUID().replaceAll('-', '')}`
    const role = identifier(name)
    await server.database.db`create role ${role} superuser login ${raw(`password 'known'`)}`
    await server.database.db`alter role ${role} ${raw(how)}`
    onTestFinished(async () => {
      await server.database.db`drop role ${role}`
    })
    return Object.assign(new URL(server.database.url), { username: name, password: 'known' }).href
  }

  /** A database that the newest migration has not reached. */
  async function outdated(): Promise<string> {
    const name = `test_${randomUUID().replaceAll('-', '')}`
    await server.database.db`create database ${identifier(name)} template ${identifier(TEMPLATE)}`
    onTestFinished(async () => {
      await server.database.db`drop database ${identifier(name)} with (force)`
    })
    const url = Object.assign(new URL(server.database.url), { pathname: `/${name}` }).href
    const db = openDb({ url, poolSize: 1, applicationName: 'tests' })
    await db`delete from migrations where name = (select max(name) from migrations)`
    await db.end()
    return url
  }

  test.each([1, 2, 3])('finds nothing in an installation without faults (run %i)', async () => {
    expect(await diagnoseWith(() => {})).toEqual([])
  })

  const OF_LIVEKIT: Fault[] = [
    [
      'a dead LIVEKIT_URL',
      set({ LIVEKIT_URL: NOWHERE }),
      'livekit:api',
      /nothing answers at LIVEKIT_URL/,
    ],
    [
      'another secret of LiveKit',
      ({ livekit }) => Object.assign(livekit.keys, { [KEY.apiKey]: OTHER_KEY.apiSecret }),
      'livekit:api',
      /refuses our key/,
    ],
    [
      'no webhook',
      ({ livekit }) => delete livekit.webhook,
      'livekit:webhook',
      /LiveKit sends none.*webhook\.urls/,
    ],
    [
      'a webhook at another path',
      ({ livekit }) =>
        livekit.webhook?.urls.splice(0, 1, `http://${HOST}:${server.ports.service}/x`),
      'livekit:webhook',
      /one came to \/x instead.*webhook\.urls/,
    ],
    [
      'a webhook with another key',
      ({ livekit }) => Object.assign(livekit.webhook ?? {}, { api_key: OTHER_KEY.apiKey }),
      'livekit:webhook',
      /signed with another key.*webhook\.api_key/,
    ],
    [
      'a LIVEKIT_PUBLIC_URL where nobody answers',
      set({ LIVEKIT_PUBLIC_URL: NOWHERE }),
      'livekit:signalling',
      /ECONNREFUSED.*LIVEKIT_PUBLIC_URL/,
    ],
    [
      'a LIVEKIT_PUBLIC_URL that leads to the service',
      ({ settings }) => void (settings['LIVEKIT_PUBLIC_URL'] = settings['PUBLIC_URL'] ?? ''),
      'livekit:signalling',
      /LIVEKIT_PUBLIC_URL .* answers 404/,
    ],
    [
      'an rtc.node_ip that nobody reaches',
      setRtc({ node_ip: '10.255.255.1' }),
      'livekit:media',
      /10\.255\.255\.1.*rtc\.node_ip/,
    ],
    [
      'enabled_codecs without VP8',
      setRoom({ enabled_codecs: [{ mime: 'audio/opus' }, { mime: 'video/h264' }] }),
      'livekit:codecs',
      /video\/vp8.*room\.enabled_codecs/,
    ],
    [
      'enabled_codecs with VP9',
      setRoom({
        enabled_codecs: ['audio/opus', 'video/vp8', 'video/vp9'].map((mime) => ({ mime })),
      }),
      'livekit:codecs',
      /video\/VP9.*room\.enabled_codecs/i,
    ],
    [
      'a small room.max_participants',
      setRoom({ max_participants: 3 }),
      'livekit:participants',
      /3 participants.*room\.max_participants/,
    ],
    ['room.auto_create', setRoom({ auto_create: true }), 'livekit:autoCreate', /room\.auto_create/],
    [
      'a TURN server that is not there',
      setRtc({ turn_servers: [turnServer(1)] }),
      'livekit:turn',
      /does not relay at turn:.*Start the TURN server/,
    ],
    [
      'TURN by TLS without anything at port 443',
      ({ livekit }) => {
        const own = { tls_port: 5349, udp_port: 0, external_tls: true }
        livekit.turn = { enabled: true, domain: 'turn.localhost', ...own }
      },
      'livekit:turn',
      /turns:turn\.localhost:443.*port 443/,
    ],
  ]

  const OF_RECORDERS: Fault[] = [
    [
      'nobody at the address',
      set({ LIVEKIT_EGRESS_URL: NOWHERE }),
      'livekit:recording',
      /ECONNREFUSED/,
    ],
    [
      'another key',
      ({ recorder }) => Object.assign(recorder, { apiKeys: { [KEY.apiKey]: OTHER_KEY.apiSecret } }),
      'livekit:recording',
      /refuses the API key/,
    ],
    [
      'another LiveKit',
      ({ recorder }) => Object.assign(recorder, { url: NOWHERE }),
      'livekit:recording',
      /does not answer/,
    ],
    [
      'two names for one',
      ({ settings }) => {
        const url = settings['LIVEKIT_EGRESS_URL'] ?? ''
        settings['LIVEKIT_EGRESS_URL'] = `${url},${url.replace(HOST, 'localhost')}`
      },
      'livekit:recording',
      /lead to one recorder/,
    ],
    [
      'no ffmpeg at FFMPEG_PATH',
      ({ recorder }) => Object.assign(recorder.egress, { env: { FFMPEG_PATH: '/nowhere/ffmpeg' } }),
      'livekit:recording',
      /FFMPEG_PATH/,
    ],
    [
      'a full disk',
      ({ recorder }) => Object.assign(recorder.egress, { freeBytes: async () => 0 }),
      'livekit:recording',
      /the disk of EGRESS_DIR is nearly full/,
    ],
    [
      'a WEBHOOK_URL that leads elsewhere',
      ({ recorder }) =>
        recorder.webhook?.urls.splice(0, 1, `http://${HOST}:${server.ports.service}/x`),
      'livekit:recorderWebhook',
      /WEBHOOK_URL/,
    ],
    [
      'wrong S3_EGRESS keys',
      set({ S3_EGRESS_ACCESS_KEY_ID: 'nobody', S3_EGRESS_SECRET_ACCESS_KEY: 'nothing' }),
      'livekit:recording',
      /\(403\).*S3_EGRESS_ACCESS_KEY_ID/,
    ],
    [
      'a dead S3_EGRESS_ENDPOINT',
      set({ S3_EGRESS_ENDPOINT: NOWHERE }),
      'livekit:recording',
      /ECONNREFUSED.*S3_EGRESS_ENDPOINT/,
    ],
    [
      'the S3_EGRESS_ENDPOINT of another storage',
      async ({ settings }) => {
        const other = await startTestS3()
        onTestFinished(() => other.close())
        settings['S3_EGRESS_ENDPOINT'] = other.config.endpoint ?? ''
      },
      'livekit:recording',
      /nothing .* comes to the storage.*S3_EGRESS_ENDPOINT/,
    ],
  ]

  const OF_STORAGE: Fault[] = [
    [
      'a dead S3_ENDPOINT',
      set({ S3_ENDPOINT: NOWHERE }),
      'storage:put',
      /nothing answers at S3_ENDPOINT/,
    ],
    [
      'an S3_ENDPOINT of web pages',
      async ({ settings }) => {
        const pages = createServer((_request, response) => response.end('<!doctype html>'))
        await once(pages.listen(0, HOST), 'listening')
        onTestFinished(() => void pages.close())
        settings['S3_ENDPOINT'] = `http://${HOST}:${(pages.address() as AddressInfo).port}`
      },
      'storage:put',
      /S3_ENDPOINT/,
    ],
    [
      'an absent S3_BUCKET',
      set({ S3_BUCKET: 'absent' }),
      'storage:put',
      /S3_BUCKET names no bucket/,
    ],
    [
      'wrong S3 keys',
      set({ S3_SECRET_ACCESS_KEY: 'another' }),
      'storage:put',
      /refuses the access key/,
    ],
    ['another S3_REGION', set({ S3_REGION: 'eu-other-1' }), 'storage:put', /S3_REGION/],
    [
      'a dead S3_PUBLIC_ENDPOINT',
      set({ S3_PUBLIC_ENDPOINT: NOWHERE }),
      'storage:signedGet',
      /S3_PUBLIC_ENDPOINT/,
    ],
    [
      'a bucket without CORS',
      () => {
        server.s3.corsOrigin = undefined
        onTestFinished(() => void (server.s3.corsOrigin = '*'))
      },
      'storage:cors',
      /CORS rule/,
    ],
  ]

  const OF_SERVICE: Fault[] = [
    [
      'another password of the database',
      ({ settings }) => {
        const url = Object.assign(new URL(server.database.url), { password: 'another' })
        settings['DATABASE_URL'] = url.href
      },
      'database:responseTime',
      /refuses the user of DATABASE_URL/,
    ],
    [
      'a database that only reads',
      async ({ settings }) => {
        settings['DATABASE_URL'] = await asRole('set default_transaction_read_only = on')
      },
      'database:responseTime',
      /only reads/,
    ],
    [
      'a database without the newest migration',
      async ({ settings }) => void (settings['DATABASE_URL'] = await outdated()),
      'database:schema',
      /1 migrations of this release are missing.*npm run migrate/,
    ],
    [
      'another SECRETS_KEY',
      set({ SECRETS_KEY: Buffer.alloc(32, 8).toString('base64') }),
      'keys:service',
      /SECRETS_KEY/,
    ],
    [
      'a PUBLIC_URL where nobody answers',
      set({ PUBLIC_URL: NOWHERE }),
      'address:service',
      /nothing answers at PUBLIC_URL/,
    ],
    [
      'a HOST for other machines and a PUBLIC_URL for this one',
      set({ HOST: '0.0.0.0' }),
      'configuration:publicUrl',
      /set PUBLIC_URL/,
    ],
    [
      'a setting that is one slip away',
      set({ S3_BUCKETS: 'tests' }),
      'configuration',
      /S3_BUCKETS is no setting/,
    ],
    [
      'an absent FFMPEG_PATH',
      set({ FFMPEG_PATH: '/nowhere/ffmpeg' }),
      'ffmpeg:program',
      /FFMPEG_PATH/,
    ],
    [
      'a WORK_DIR that cannot be written',
      set({ WORK_DIR: '/proc/work' }),
      'machine:workDir',
      /WORK_DIR/,
    ],
    [
      'a dead collector of traces',
      set({ OTEL_EXPORTER_OTLP_ENDPOINT: NOWHERE }),
      'tracing:collector',
      /OTEL_EXPORTER_OTLP_ENDPOINT/,
    ],
  ]

  describe('names one fault, and nothing else:', () => {
    describe.each([
      ['LiveKit', OF_LIVEKIT],
      ['a recorder', OF_RECORDERS],
      ['the storage', OF_STORAGE],
      ['the service', OF_SERVICE],
    ])('of %s:', (_whose, faults) => {
      test.each(faults)('%s', async (_fault, ...finding) => expectFinding(...finding))
    })

    test('of the service, no font with Thai letters', async () => {
      const found = await diagnoseWith(() => {}, { ...FONTS, thai: undefined })
      expect(found).toMatchObject([
        { check: 'machine:fonts', detail: expect.stringContaining('fonts-thai-tlwg') },
      ])
    })

    test('of recorders, that each records as many as it may', async () => {
      const installation = server.healthy()
      Object.assign(installation.recorder.egress, { recordingMax: 1 })
      const { url } = await server.start(installation)
      const { stop } = await startRecording(installation, url)
      const mend = expect.stringContaining('EGRESS_MAX')
      const expected = [{ check: 'livekit:recording', result: 'warn', mend }]
      expect(await diagnose(installation)).toMatchObject(expected)
      await stop()
    })

    test.skipIf(!HAS_FAKETIME)('of a recorder, a clock that is an hour ahead', async () => {
      const found = await diagnoseWith(async ({ recorder, settings }) => {
        const port = await freePort(HOST)
        run(process.execPath, [RECORDER], {
          LIVEKIT_URL: recorder.url,
          LIVEKIT_API_KEY: KEY.apiKey,
          LIVEKIT_API_SECRET: KEY.apiSecret,
          PORT: String(port),
          EGRESS_DIR: path.join(server.folder, randomUUID()),
          LD_PRELOAD: FAKETIME,
          FAKETIME: '+1h',
          FAKETIME_DONT_FAKE_MONOTONIC: '1',
        })
        settings['LIVEKIT_EGRESS_URL'] = `http://${HOST}:${port}`
        await waitFor(() => connects(port))
      })
      expect(found).toMatchObject([
        { check: 'livekit:recording', mend: expect.not.stringMatching(/key/i) },
      ])
      expect(found[0]?.detail).toMatch(/clock of the recorder at .* is 3[56]\d\d s off/)
    })

    test.skipIf(!HAS_TURN)('of TURN, another password', async () => {
      const port = await freePort(HOST)
      const way = [`--listening-ip=${HOST}`, `--relay-ip=${HOST}`, `--listening-port=${port}`]
      const user = ['--lt-cred-mech', '--realm=tests', '--user=tests:another']
      const files = [`--pidfile=${server.folder}/turn.pid`, `--userdb=${server.folder}/turn.db`]
      run('turnserver', ['-n', '--no-cli', '--no-tls', '--no-dtls', ...way, ...user, ...files])
      await waitFor(() => connects(port))
      const change = setRtc({ turn_servers: [turnServer(port)] })
      await expectFinding(change, 'livekit:turn', /does not relay at turn:.* its secret/)
    })

    test.skipIf(!HAS_POOLER)('of the database, a pooler', async () => {
      const port = await freePort(HOST)
      const { hostname, port: inside, username, password } = new URL(server.database.url)
      const file = path.join(server.folder, 'pooler.ini')
      await writeFile(
        file,
        `[databases]
* = host=${hostname} port=${inside} user=${username} password=${password}
[pgbouncer]
listen_addr = ${HOST}
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
`,
      )
      // It refuses to run as root.
      await chmod(server.folder, 0o755)
      run('pgbouncer', [...(process.getuid?.() === 0 ? ['-u', 'nobody'] : []), file])
      await waitFor(() => connects(port))
      const change = set({ DATABASE_URL: server.database.url.replace(`:${inside}/`, `:${port}/`) })
      await expectFinding(change, 'database:responseTime', /is a pooler/)
    })
  })

  test('readiness warns while a bucket refuses a recorder for 30 s, and passes again', async () => {
    const installation = server.healthy()
    const { url } = await server.start(installation)
    const status = async () => {
      const answer = await fetch(`${installation.settings['PUBLIC_URL']}/health/ready`)
      const { checks } = (await answer.json()) as { checks: Record<string, { status: string }[]> }
      return checks['recorders:delivery']?.[0]?.status
    }
    const { media, room, stop } = await startRecording(installation, url)
    expect(await status()).toBe('pass')
    server.s3.fault = ({ method }) =>
      method === 'PUT' ? { status: 403, code: 'AccessDenied' } : undefined
    onTestFinished(() => {
      server.s3.fault = undefined
    })
    await waitFor(async () => (await status()) === 'warn', WAIT_MS)
    const { egresses } = await media.listEgress(room, [url])
    expect(egresses[0]?.refusal).toBe('AccessDenied (403)')
    server.s3.fault = undefined
    await waitFor(async () => (await status()) === 'pass', WAIT_MS)
    await stop()
  })
})
