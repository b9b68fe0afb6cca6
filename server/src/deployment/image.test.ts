import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { appendFile, copyFile, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { type MediaServer, startMediaServer } from '@interview-room/media-server/src/server.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { installWithApt } from '../local/lib/apt.ts'
import { freePort } from '../local/lib/ports.ts'
import { createTestDatabase } from '../testing/database.ts'
import { bookFirstRoom } from '../testing/first-room.ts'
import { IS_FULL_RUN } from '../testing/scope.ts'
import { waitFor } from '../testing/wait-for.ts'

const ROOT = path.resolve(import.meta.dirname, '../../..')
const HOST = '127.0.0.1'
const BUILD_MS = 60 * 60_000
const DEBIAN = { release: 'trixie', mirror: 'http://deb.debian.org/debian' }
const NPM = 'npm@11.19.1'
const BASE = 'localhost/node-base:test'
const IMAGE = 'localhost/interview-room-service:test'
const KEY = { apiKey: 'testkey', apiSecret: 'a-secret-that-only-tests-know-of' }

const TOOLS = ['buildah', 'debootstrap']
const hasTools = () => TOOLS.every((name) => spawnSync(name, ['--version']).error === undefined)
const isRoot = process.platform === 'linux' && process.getuid?.() === 0
const canRun = IS_FULL_RUN && isRoot && (hasTools() || (installWithApt(TOOLS) && hasTools()))

const run = promisify(execFile)
const cleanup = new AsyncDisposableStack()
let folder: string
let container: string

/** Needs no daemon, and changes nothing outside of `folder`. */
const buildahArguments = (...args: readonly string[]) => [
  `--root=${path.join(folder, 'images')}`,
  `--runroot=${path.join(folder, 'run')}`,
  '--storage-driver=vfs',
  ...args,
]

async function buildah(...args: readonly string[]): Promise<string> {
  const { stdout } = await run('buildah', buildahArguments(...args), {
    env: { ...process.env, TMPDIR: folder },
    maxBuffer: 2 ** 28,
  })
  return stdout.trim()
}

/** In place of `node:…-slim`, where no registry is reached: Debian with Node, npm and its user. */
async function makeBase(): Promise<void> {
  const system = path.join(folder, 'system')
  await run('debootstrap', ['--variant=minbase', DEBIAN.release, system, DEBIAN.mirror], {
    maxBuffer: 2 ** 28,
  })
  const local = path.join(system, 'usr/local')
  await copyFile(process.execPath, path.join(local, 'bin/node'))
  await run('npm', ['install', '--global', '--prefix', local, NPM], { cwd: folder })
  await appendFile(path.join(system, 'etc/passwd'), 'node:x:1000:1000::/home/node:/bin/sh\n')
  await appendFile(path.join(system, 'etc/group'), 'node:x:1000:\n')
  for (const place of ['var/cache/apt/archives', 'var/lib/apt/lists']) {
    await rm(path.join(system, place), { recursive: true })
  }
  const from = await buildah('from', 'scratch')
  await buildah('add', from, system, '/')
  await buildah('commit', '--rm', from, BASE)
  await rm(system, { recursive: true })
}

/** Mounts for the build alone: npm reaches its registry as it does here. */
async function npmSettings(): Promise<string[]> {
  const setting = async (name: string) => {
    const { stdout } = await run('npm', ['config', 'get', name], { cwd: folder })
    return /^(?:null|undefined)?$/.test(stdout.trim()) ? undefined : stdout.trim()
  }
  const own = await setting('userconfig')
  const lines = own !== undefined && existsSync(own) ? [await readFile(own, 'utf8')] : []
  for (const name of ['registry', 'proxy', 'https-proxy', 'noproxy']) {
    const value = await setting(name)
    if (value !== undefined) lines.push(`${name}=${value}`)
  }
  const authorities = (await setting('cafile')) ?? process.env['NODE_EXTRA_CA_CERTS']
  const file = path.join(folder, 'npmrc')
  const mounts = [`--volume=${file}:/root/.npmrc:ro`]
  if (authorities !== undefined) {
    lines.push('cafile=/run/authorities.pem')
    mounts.push(`--volume=${await realpath(authorities)}:/run/authorities.pem:ro`)
  }
  await writeFile(file, lines.join('\n'), { mode: 0o600 })
  return mounts
}

interface ImageConfig {
  Entrypoint: string[]
  Cmd: string[]
  User: string
  Healthcheck: { Test: string[] }
}

let config: ImageConfig

beforeAll(async () => {
  if (!canRun) return
  folder = await mkdtemp(path.join(tmpdir(), 'interview-room-image-'))
  cleanup.defer(() => rm(folder, { recursive: true, force: true }))
  await makeBase()
  const options = ['--isolation=chroot', '--pull-never', '--format=docker', `--tag=${IMAGE}`]
  const base = `--build-arg=NODE_IMAGE=${BASE}`
  await buildah('bud', ...options, base, ...(await npmSettings()), ROOT)
  const described = await buildah('inspect', '--type', 'image', IMAGE)
  config = (JSON.parse(described) as { Docker: { config: ImageConfig } }).Docker.config
  container = await buildah('from', '--pull-never', IMAGE)
}, BUILD_MS)

afterAll(() => cleanup.disposeAsync())

type Environment = Record<string, string>

const inContainer = (command: readonly string[], env: Environment) =>
  buildahArguments(
    'run',
    '--isolation=chroot',
    ...Object.entries(env).map(([name, value]) => `--env=${name}=${value}`),
    container,
    '--',
    ...command,
  )

/** A program of the image that ends, as `docker run <image> <program>`. */
async function answerOf(args: readonly string[], env: Environment = {}): Promise<string> {
  const { stdout } = await run('buildah', inContainer([...config.Entrypoint, ...args], env))
  return stdout
}

/** A program of the image that runs until the tests end. */
function startProgram(args: readonly string[], env: Environment): () => string {
  // Signals reach the program as a member of the group: buildah does not pass them on.
  const command = inContainer([...config.Entrypoint, ...args], env)
  const child: ChildProcess = spawn('buildah', command, {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (bytes: Buffer) => (printed += bytes.toString()))
  }
  cleanup.defer(async () => {
    if (child.pid === undefined || child.exitCode !== null) return
    const exited = once(child, 'exit')
    process.kill(-child.pid, 'SIGTERM')
    await exited
  })
  return () => {
    if (child.exitCode !== null) throw new Error(`it ended:\n${printed}`)
    return printed
  }
}

describe.skipIf(!canRun)('the image (skipped where it cannot be built)', () => {
  let settings: Environment
  let origin: string
  let operations: string

  beforeAll(async () => {
    const database = await createTestDatabase()
    cleanup.defer(() => database.drop())
    const ports = await Promise.all([freePort(HOST), freePort(HOST), freePort(HOST)])
    const [port, operationsPort, recorderPort] = ports.map(String) as [string, string, string]
    origin = `http://${HOST}:${port}`
    operations = `http://${HOST}:${operationsPort}`
    const notifications = `${origin}/api/v1/provider-events`
    const media: MediaServer = await startMediaServer({
      host: HOST,
      port: 0,
      apiKeys: { [KEY.apiKey]: KEY.apiSecret },
      webhook: { urls: [notifications], apiKey: KEY.apiKey },
    })
    cleanup.defer(() => media.close())
    const livekit = {
      LIVEKIT_URL: media.url,
      LIVEKIT_API_KEY: KEY.apiKey,
      LIVEKIT_API_SECRET: KEY.apiSecret,
    }
    settings = {
      ...livekit,
      LIVEKIT_EGRESS_URL: `http://${HOST}:${recorderPort}`,
      PUBLIC_URL: origin,
      HOST,
      PORT: port,
      OPERATIONS_PORT: operationsPort,
      DATABASE_URL: database.url,
      SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
      // Below the WORK_DIR of the image.
      STORAGE_DIR: path.join('/work', 'storage'),
      DRAIN_SEC: '0',
    }
    const recorder = startProgram(['dist/recorder.js'], {
      ...livekit,
      HOST,
      PORT: recorderPort,
      EGRESS_DIR: '/recordings',
      EGRESS_OUTPUT_DIR: settings['STORAGE_DIR'] ?? '',
      WEBHOOK_URL: notifications,
    })
    const service = startProgram(config.Cmd, settings)
    await waitFor(() => recorder().includes('listening on ') && service().includes('serving '))
  })

  async function admin<T>(...args: readonly string[]): Promise<T> {
    return JSON.parse(await answerOf(['dist/admin.js', ...args, '--json'], settings)) as T
  }

  const metric = async (name: string): Promise<number> => {
    const text = await (await fetch(`${operations}/metrics`)).text()
    return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1])
  }

  test('runs as user 1000, and has what it compiled', async () => {
    expect(config.User).toBe('1000:1000')
    const script =
      'console.log(process.getuid(), fs.readdirSync(process.env.NODE_COMPILE_CACHE, { recursive: true }).length > 20)'
    expect(await answerOf(['--eval', script])).toBe('1000 true\n')
  })

  test('becomes ready, with everything that a room needs', async () => {
    const ready = await fetch(`${operations}/health/ready`)
    expect([ready.status, await ready.json()]).toEqual([
      200,
      expect.objectContaining({ status: 'pass' }),
    ])
    const [, ...check] = config.Healthcheck.Test
    await run('buildah', inContainer(check, settings))
  })

  test('passes its own doctor', async () => {
    const { checks } = JSON.parse(await answerOf(['dist/doctor.js', '--json'], settings)) as {
      checks: { result: string }[]
    }
    expect(checks.length).toBeGreaterThan(10)
    expect(checks.filter(({ result }) => result === 'fail')).toEqual([])
  })

  test('books a room with a key that its own command has made', async () => {
    const named = ['--name', 'First tenant']
    const { tenant_id } = await admin<{ tenant_id: string }>('tenants', 'create', ...named)
    const whose = ['--tenant', tenant_id]
    const { api_key } = await admin<{ api_key: string }>('api-keys', 'issue', ...whose)
    expect(await bookFirstRoom(origin, api_key)).toMatchObject({ content_type: 'image' })
  })

  test('reports its size, and the memory of the service', async () => {
    const sizes = await run('du', ['-sm', path.join(await buildah('mount', container), 'app')])
    const size = await buildah('images', '--format', '{{.Size}}', IMAGE)
    const memory = (await metric('process_resident_memory_bytes')) / 1024 ** 2
    expect(memory).toBeGreaterThan(50)
    process.stdout.write(
      `image: ${size}, of it /app ${Number.parseInt(sizes.stdout, 10)} MiB; the service takes ${Math.round(memory)} MiB\n`,
    )
  })
})
