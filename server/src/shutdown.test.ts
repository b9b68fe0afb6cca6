import { once } from 'node:events'
import http from 'node:http'
import net from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { useControlPlane } from './testing/control-plane.ts'
import { openReader, useLiveRooms } from './testing/live-room.ts'
import { parseMetrics } from './testing/parse-metrics.ts'
import {
  type ProcessOptions,
  type ServiceProcess,
  spawnService,
  startServiceProcess,
} from './testing/service-process.ts'
import { waitFor } from './testing/wait-for.ts'

/** The shortest time that an orchestrator waits before it kills the process. */
const EXITS_WITHIN_MS = 20_000

const plane = useControlPlane()
const live = useLiveRooms(plane)

const running: ServiceProcess[] = []
const sockets: { destroy(): void }[] = []

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await Promise.all(running.splice(0).map((service) => service.stop('SIGKILL')))
})

async function start(options: Partial<ProcessOptions>): Promise<ServiceProcess> {
  const service = await startServiceProcess({
    databaseUrl: plane.database.url,
    role: 'api',
    ...options,
  })
  running.push(service)
  return service
}

async function readinessOf(url: string) {
  const answer = await fetch(`${url}/health/ready`)
  return {
    status: answer.status,
    body: (await answer.json()) as { checks: Record<string, unknown> },
  }
}

/** A check that takes over two seconds fails, and the first ones may on a busy machine. */
async function untilReady(url: string) {
  let ready: Awaited<ReturnType<typeof readinessOf>> | undefined
  await waitFor(async () => {
    ready = await readinessOf(url)
    return ready.status === 200
  })
  return ready
}

interface ReceivedAnswer {
  status: number
  isLast: boolean
}

function get(url: string, agent: http.Agent): Promise<ReceivedAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<ReceivedAnswer>()
  http
    .get(url, { agent, headers: { authorization: plane.tenant.authorization } }, (answer) => {
      answer.resume().once('end', () => {
        const isLast = answer.headers.connection === 'close'
        resolve({ status: answer.statusCode ?? 0, isLast })
      })
    })
    .once('error', reject)
  return promise
}

/** Sends one request after another on one connection until nobody listens any more. */
async function sendAllTheTime(url: string) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
  sockets.push(agent)
  const seen = { answers: [] as ReceivedAnswer[], errors: [] as string[], isStopped: false }
  async function loop(): Promise<void> {
    while (!seen.isStopped) {
      try {
        seen.answers.push(await get(url, agent))
      } catch (error) {
        seen.isStopped = true
        seen.errors.push((error as NodeJS.ErrnoException).code ?? String(error))
      }
    }
  }
  const ended = loop()
  await waitFor(() => seen.answers.length > 10)
  return { seen, ended }
}

describe('SIGTERM', () => {
  // contract: getReadiness › 503 while the process stops, and serves what still comes
  test('drains, resets nobody, ends streams, and exits 0 beside a request head that never ends', async () => {
    const { origin, port, operations, stop, output } = await start({ env: { DRAIN_SEC: '2' } })
    const unfinished = net.connect(port, '127.0.0.1')
    sockets.push(unfinished)
    await once(unfinished, 'connect')
    unfinished.write('GET /health HTTP/1.1\r\nHost: rooms.test\r\n')
    unfinished.on('error', () => {})
    const { roomId } = await live.acting.addRoom()
    const guest = await live.enter(roomId, 'panelist')
    const stream = await openReader(`${origin}/api/v1/rooms/${roomId}/live/stream`, {
      authorization: `Bearer ${guest.ticket}`,
    })
    await stream.wait('snapshot')
    const clients = await Promise.all(
      Array.from({ length: 4 }, () => sendAllTheTime(`${origin}/api/v1/rooms/${roomId}`)),
    )

    const stopped = stop()
    await waitFor(async () => (await readinessOf(operations)).status === 503)
    // The drain: the process is not ready, but serves requests as before.
    expect(await readinessOf(origin)).toMatchObject({
      status: 503,
      body: {
        status: 'fail',
        checks: { 'process:stopping': [{ status: 'fail', output: 'The process is stopping.' }] },
      },
    })
    expect((await fetch(`${origin}/health`)).status).toBe(200)
    expect(stream.hasEnded()).toBe(false)

    const { exitCode, tookMs } = await stopped
    expect({ exitCode, output: output().replace(/^serving.*\n/, '') }).toMatchObject({
      exitCode: 0,
    })
    expect(tookMs).toBeGreaterThanOrEqual(2_000)
    expect(tookMs).toBeLessThan(EXITS_WITHIN_MS)
    await waitFor(() => stream.hasEnded())
    for (const { seen, ended } of clients) {
      await ended
      expect(seen.answers.every(({ status }) => status === 200)).toBe(true)
      expect(seen.answers.filter(({ isLast }) => isLast)).toHaveLength(1)
      // Never a reset: the connection ended after an answer, and nobody listened for another one.
      expect(seen.errors).toEqual(['ECONNREFUSED'])
    }
  })

  test('waits for a request in flight, and sends nothing on its connection after the answer', async () => {
    const { port, stop } = await start({ env: { DRAIN_SEC: '0' } })
    const socket = net.connect(port, '127.0.0.1')
    sockets.push(socket)
    let answer = ''
    socket.on('data', (bytes: Buffer) => (answer += bytes.toString()))
    const ended = once(socket, 'close')
    const body = '{"reason":"x"}'
    socket.write(
      `POST /api/v1/rooms/x/close HTTP/1.1\r\nHost: rooms.test\r\nAuthorization: ${plane.tenant.authorization}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`,
    )
    const other = new http.Agent({ keepAlive: true })
    sockets.push(other)
    await get(`http://127.0.0.1:${port}/health`, other)
    const stopped = stop()
    // The rest arrives when nobody can connect any more.
    await waitFor(async () => !(await canConnect(port)))
    socket.write(body.slice(5))
    await ended
    expect(answer).toMatch(/^HTTP\/1\.1 404 /)
    expect(answer.toLowerCase()).toContain('connection: close')
    expect((await stopped).exitCode).toBe(0)
  })
})

async function canConnect(port: number): Promise<boolean> {
  const socket = net.connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

/** A proxy to the database that can be closed, or left open and silent. */
async function startDatabaseProxy() {
  const to = new URL(plane.database.url)
  const open = new Set<net.Socket>()
  let isSilent = false
  const server = net.createServer((client) => {
    const database = net.connect(Number(to.port), to.hostname)
    for (const socket of [client, database]) {
      open.add(socket)
      socket.on('error', () => {})
      socket.once('close', () => open.delete(socket))
    }
    client.on('data', (bytes) => isSilent || database.write(bytes))
    database.on('data', (bytes) => isSilent || client.write(bytes))
    client.once('close', () => database.destroy())
    database.once('close', () => client.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(to)
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as net.AddressInfo).port)
  const close = () => {
    server.close()
    for (const socket of open) socket.destroy()
  }
  sockets.push({ destroy: close })
  return { url: url.href, close, silence: () => (isSilent = true) }
}

/** A worker loses its database in this way, and is asked to stop. */
async function cut(how: 'close' | 'silence') {
  const way = await startDatabaseProxy()
  const { operations, stop } = await start({ role: 'worker', databaseUrl: way.url })
  await untilReady(operations)
  way[how]()
  await waitFor(async () => (await readinessOf(operations)).status === 503)
  return stop()
}

describe('a worker', () => {
  test('answers for its health on the operations port, and exits 0', async () => {
    const { operations, origin, stop, output } = await start({ role: 'worker' })
    expect((await fetch(`${operations}/health`)).status).toBe(200)
    const ready = await untilReady(operations)
    expect(Object.keys(ready?.body.checks ?? {})).not.toContain('pages:responseTime')
    expect((await fetch(`${operations}/api/v1/rooms`)).status).toBe(404)
    expect((await fetch(`${operations}/health`, { method: 'POST' })).status).toBe(405)
    await expect(fetch(`${origin}/health`)).rejects.toThrow('fetch failed')
    const page = parseMetrics(await (await fetch(`${operations}/metrics`)).text())
    expect(page.names).toContain('nodejs_eventloop_lag_seconds')
    expect(page.value('scrape_success', { section: 'jobs' })).toBe(1)
    expect(page.value('repeating_job_age_seconds', { kind: 'reconcile-attendance' })).toBeDefined()
    // Nobody has to ask: there is no LiveKit, and the log reports it.
    await waitFor(() => output().includes('LiveKit does not answer at LIVEKIT_URL.'))
    expect((await stop()).exitCode).toBe(0)
  })

  test('that waits for the database logs that, is alive, and exits 0', async () => {
    const way = await startDatabaseProxy()
    way.close()
    const { child, operations } = await spawnService({ role: 'worker', databaseUrl: way.url })
    sockets.push({ destroy: () => child.kill('SIGKILL') })
    await waitFor(
      async () => (await fetch(`${operations}/health`).catch(() => undefined))?.ok === true,
    )
    expect(await readinessOf(operations)).toMatchObject({
      status: 503,
      body: { checks: { 'process:starting': [{ status: 'fail' }] } },
    })
    const exited = once(child, 'exit')
    child.kill('SIGTERM')
    expect(await exited).toEqual([0, null])
  })

  test('exits 0 in time while the database is gone, and while it is silent', async () => {
    for (const { exitCode, tookMs } of await Promise.all([cut('close'), cut('silence')])) {
      expect(exitCode).toBe(0)
      expect(tookMs).toBeLessThan(EXITS_WITHIN_MS)
    }
  })
})
