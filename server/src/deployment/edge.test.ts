import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import tls from 'node:tls'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkTurn } from '../diagnosis/turn-check.ts'
import { installWithApt } from '../local/lib/apt.ts'
import { freePort } from '../local/lib/ports.ts'
import { answerOfTurn } from '../testing/played-turn.ts'
import { IS_FULL_RUN } from '../testing/scope.ts'
import { waitFor } from '../testing/wait-for.ts'

const HOST = '127.0.0.1'
const FILE = path.resolve(import.meta.dirname, '../../../deploy/compose/haproxy.cfg')
const PROGRAMS = ['haproxy', 'openssl']
const hasAll = () => PROGRAMS.every((name) => spawnSync(name, ['version']).error === undefined)
const canRun = IS_FULL_RUN && (hasAll() || (installWithApt(PROGRAMS) && hasAll()))

/** Start of a PROXY header of version 2. */
const PROXY_SIGNATURE = Buffer.from('0d0a0d0a000d0a515549540a', 'hex')

const cleanup = new AsyncDisposableStack()
let folder: string
let port: number
/** The first bytes of each connection that reached the proxy. */
const proxied: Buffer[] = []

async function listen(server: Server): Promise<number> {
  server.listen(0, HOST)
  await once(server, 'listening')
  cleanup.defer(() => void server.close())
  return (server.address() as AddressInfo).port
}

async function startTurn(): Promise<number> {
  const [key, cert] = await Promise.all(
    ['key.pem', 'cert.pem'].map((name) => readFile(path.join(folder, name))),
  )
  const server = tls.createServer({ key, cert }, (socket) => {
    socket.on('error', () => {})
    socket.on('data', (bytes) => {
      const answer = answerOfTurn(bytes, socket.remotePort ?? 0)
      if (answer !== undefined) socket.write(answer)
    })
  })
  return listen(server)
}

async function startProxy(): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', (bytes) => {
      proxied.push(bytes)
      socket.destroy()
    })
  })
  return listen(server)
}

/** The file of deploy/compose with other addresses. */
async function startEdge(turnPort: number, proxyPort: number): Promise<void> {
  const replaced: readonly (readonly [string, string])[] = [
    ['bind :443', `bind ${HOST}:${port}`],
    ['livekit:5349', `${HOST}:${turnPort}`],
    ['proxy:443', `${HOST}:${proxyPort}`],
  ]
  const text = replaced.reduce(
    (before, [from, to]) => {
      if (before.split(from).length !== 2) throw new Error(`deploy/compose/haproxy.cfg: "${from}"`)
      return before.replace(from, to)
    },
    await readFile(FILE, 'utf8'),
  )
  const file = path.join(folder, 'haproxy.cfg')
  await writeFile(file, text)
  const env = { PATH: process.env['PATH'], TURN_DOMAIN: 'localhost' }
  const child = spawn('haproxy', ['-f', file], { env, stdio: 'ignore' })
  cleanup.defer(async () => {
    child.kill('SIGKILL')
    await once(child, 'exit')
  })
  await waitFor(async () => {
    const socket = tls.connect({ host: HOST, port, servername: 'elsewhere.test' })
    await once(socket, 'secureConnect').catch(() => {})
    socket.destroy()
    return proxied.length > 0
  })
}

/** Connects with a server name; returns the certificate that is shown, and the bytes that reached the proxy. */
async function connectAs(options: tls.ConnectionOptions) {
  const before = proxied.length
  const socket = tls.connect({ host: HOST, port, ...options })
  let from: number | undefined
  socket.once('connect', () => {
    from = socket.localPort
  })
  const isOpen = await once(socket, 'secureConnect').then(
    () => true,
    () => false,
  )
  const shown = isOpen ? socket.getPeerCertificate().subject.CN : undefined
  socket.destroy()
  return { from, shown, header: proxied[before] }
}

describe.skipIf(!canRun)('port 443 of compose.yaml', () => {
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'interview-room-edge-'))
    cleanup.defer(() => rm(folder, { recursive: true, force: true }))
    const request =
      'req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out cert.pem -days 30 -subj /CN=localhost -addext subjectAltName=DNS:localhost'
    execFileSync('openssl', request.split(' '), { cwd: folder, stdio: 'ignore' })
    const before = tls.getCACertificates('default')
    tls.setDefaultCACertificates([...before, await readFile(path.join(folder, 'cert.pem'), 'utf8')])
    cleanup.defer(() => tls.setDefaultCACertificates(before))
    port = await freePort(HOST)
    await startEdge(await startTurn(), await startProxy())
  })

  afterAll(() => cleanup.disposeAsync())

  test('gives the name of TURN to LiveKit, as the doctor and browsers ask for it', async () => {
    const url = `turns:localhost:${port}?transport=tcp`
    const offered = [{ urls: [url], username: 'user', credential: 'word' }]
    expect(await checkTurn('wss://live.test', offered)).toEqual({
      result: 'ok',
      detail: `TURN relays at ${url}`,
    })
    expect(await connectAs({ servername: 'LOCALHOST' })).toMatchObject({
      shown: 'localhost',
      header: undefined,
    })
  })

  test.each([
    ['another name', { servername: 'interviews.example.com' }],
    ['no name', {}],
    [
      'what a certificate authority asks',
      { servername: 'localhost', ALPNProtocols: ['acme-tls/1'] },
    ],
  ])('gives %s to the proxy, with the address of the person', async (_what, options) => {
    const { from, shown, header } = await connectAs(options)
    expect([shown, header?.subarray(0, 12)]).toEqual([undefined, PROXY_SIGNATURE])
    // After version, family and length come both addresses, then both ports.
    expect(header?.subarray(16, 20).join('.')).toBe(HOST)
    expect(header?.readUInt16BE(24)).toBe(from)
  })
})
