import http from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import type { Health } from './api/operations/health.ts'
import { useControlPlane } from './testing/control-plane.ts'
import { IS_FULL_RUN } from './testing/scope.ts'
import { type ServiceProcess, startServiceProcess } from './testing/service-process.ts'
import { waitFor } from './testing/wait-for.ts'

/** Restarts of each process; twenty in the long run. */
const RESTARTS = Number(process.env['ROLLING_RESTARTS'] ?? 1)
const REQUESTS_PER_SEC = IS_FULL_RUN ? 200 : 50
/** A machine that is too slow for the rate gets fewer requests instead of a queue that it could never drain. */
const IN_FLIGHT_MAX = 16
const PROBE_EVERY_MS = 100
/** Much longer than a probe takes to notice. */
const DRAIN_SEC = '2'

const plane = useControlPlane()

/** A process that is replaced from time to time. It keeps its ports, as a pod keeps its service. */
interface Place {
  role: 'api' | 'worker'
  process: ServiceProcess
  isReady: boolean
  /** Neither starting nor stopping, though a check may have taken too long. */
  isServing: boolean
}

const places: Place[] = []
afterAll(async () => {
  await Promise.all(places.map(({ process }) => process.stop('SIGKILL')))
})

async function startOne(role: Place['role'], port?: number): Promise<ServiceProcess> {
  return startServiceProcess({
    databaseUrl: plane.database.url,
    role,
    env: { DRAIN_SEC },
    ...(port !== undefined && { port }),
  })
}

/** Works as a balancer does: probes each process again and again, and sends requests to the ready ones. */
async function followReadiness(signal: AbortSignal): Promise<void> {
  const follow = async (place: Place) => {
    while (!signal.aborted) {
      const answer = await fetch(`${place.process.operations}/health/ready`).catch(() => undefined)
      const health = (await answer?.json().catch(() => undefined)) as Health | undefined
      place.isReady = answer?.status === 200
      place.isServing =
        health !== undefined &&
        !Object.keys(health.checks).some((name) => name.startsWith('process:'))
      await delay(PROBE_EVERY_MS)
    }
  }
  await Promise.all(places.map(follow))
}

interface Traffic {
  /** By the rate. */
  asked: number
  sent: number
  failures: string[]
}

/** Sends to the ready replicas in turn, over kept-alive connections. Retries nothing. */
async function sendRequests(path: string, signal: AbortSignal, traffic: Traffic): Promise<void> {
  const agent = new http.Agent({ keepAlive: true })
  const underWay = new Set<Promise<void>>()
  const startMs = performance.now()
  while (!signal.aborted) {
    const due = Math.floor(((performance.now() - startMs) / 1000) * REQUESTS_PER_SEC)
    for (; traffic.asked < due; traffic.asked += 1) {
      if (underWay.size >= IN_FLIGHT_MAX) continue
      traffic.sent += 1
      const replicas = places.filter(({ role }) => role === 'api')
      const ready = replicas.filter(({ isReady }) => isReady)
      // Balancers send to every replica when all checks fail, and a busy machine answers checks late.
      const open = ready.length > 0 ? ready : replicas.filter(({ isServing }) => isServing)
      const place = open[traffic.sent % open.length]
      if (place === undefined) {
        traffic.failures.push('nobody is ready')
        continue
      }
      const request = send(`${place.process.origin}${path}`, agent)
        .catch((error: unknown) => void traffic.failures.push(String(error)))
        .finally(() => underWay.delete(request))
      underWay.add(request)
    }
    await delay(5)
  }
  await Promise.all(underWay)
  agent.destroy()
}

async function send(url: string, agent: http.Agent): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  http
    .get(url, { agent, headers: { authorization: plane.tenant.authorization } }, (answer) => {
      const { statusCode } = answer
      answer.resume().once('end', () => {
        if (statusCode === 200) resolve()
        else reject(new Error(`status ${statusCode}`))
      })
    })
    .once('error', reject)
  return promise
}

const allReady = () => waitFor(() => places.every(({ isReady }) => isReady))

describe('rolling restarts of two API processes and a worker', () => {
  test('fail no request, and every process exits 0', async () => {
    plane.now = new Date()
    const room = await plane.book()
    for (const role of ['api', 'api', 'worker'] as const) {
      places.push({ role, process: await startOne(role), isReady: false, isServing: false })
    }
    const stopping = new AbortController()
    const following = followReadiness(stopping.signal)
    await allReady()
    const traffic: Traffic = { asked: 0, sent: 0, failures: [] }
    const sending = sendRequests(`/api/v1/rooms/${room.id}`, stopping.signal, traffic)

    const exitCodes: (number | null)[] = []
    for (let round = 0; round < RESTARTS; round += 1) {
      for (const place of places) {
        const { port } = place.process
        exitCodes.push((await place.process.stop()).exitCode)
        place.process = await startOne(place.role, port)
        await allReady()
      }
    }
    stopping.abort()
    await Promise.all([sending, following])

    expect(exitCodes).toEqual(Array.from({ length: RESTARTS * 3 }, () => 0))
    expect(traffic.failures).toEqual([])
    expect(traffic.sent).toBeGreaterThan(RESTARTS * 100)
  }, 1_200_000)
})
