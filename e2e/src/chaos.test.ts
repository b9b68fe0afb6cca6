import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { IS_FULL_RUN } from '@interview-room/server/src/testing/scope.ts'
import { decodeJwt, SignJWT } from 'jose'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { type Cluster, LIVEKIT_KEY, startCluster } from './harness/cluster.ts'
import { actAsTenant } from './harness/tenant.ts'
import { LATER_MS, waitFor } from './harness/wait.ts'

/** The long run asks for 3,000 events, 60 kills and 8 crashes of the database. Every day the random histories do the like. */
const EVENTS = Number(process.env['CHAOS_EVENTS'] ?? 90)
const KILLS = Number(process.env['CHAOS_KILLS'] ?? 2)
const CRASHES = Number(process.env['CHAOS_CRASHES'] ?? 1)
const VISITS = 3
const PEOPLE_PER_ROOM = 10
const PEOPLE_AT_ONCE = 8
/** One in this many deliveries is refused with 503. */
const REFUSED_EVERY = 25

interface DeliveredEntry {
  id: string
  person: string
  entry: number
}

/** A tenant that refuses some deliveries, and keeps what it took in the order in which it came. */
async function startReceiver() {
  const delivered: DeliveredEntry[] = []
  const wrong: string[] = []
  let asked = 0
  let secret = ''
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      asked += 1
      if (asked % REFUSED_EVERY === 0) return response.writeHead(503).end()
      try {
        const { id, data } = new Webhook(secret).verify(body, request.headers as never) as {
          id: string
          data: { participant: { external_id: string }; entry_history_id: number }
        }
        if (data.participant !== undefined) {
          delivered.push({ id, person: data.participant.external_id, entry: data.entry_history_id })
        }
      } catch (error) {
        wrong.push(String(error))
      }
      return response.writeHead(204).end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    delivered,
    wrong,
    keep: (value: string) => (secret = value),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** A caller that gets 502, 503 or no answer tries again; so do LiveKit, browsers and backends. */
async function untilDone<T>(what: string, ask: () => Promise<T | undefined>): Promise<T> {
  return waitFor(() => ask().catch(() => undefined), { what, timeoutMs: LATER_MS })
}

/** Calls go to the api processes in turn, as a balancer sends them. */
function balance(cluster: Cluster): <T>(use: (base: string) => Promise<T>) => Promise<T> {
  let turn = 0
  return async (use) => {
    turn += 1
    const api = cluster.apis[turn % cluster.apis.length]
    return use(api?.base ?? '')
  }
}

function createVisits(cluster: Cluster) {
  const { livekit, tenant } = cluster
  const byTurn = balance(cluster)
  const signer = actAsTenant(tenant)

  async function notify(event: object): Promise<void> {
    const body = JSON.stringify({
      id: `EV_${randomUUID()}`,
      createdAt: String(Math.floor(Date.now() / 1000)),
      ...event,
    })
    const token = await new SignJWT({ sha256: createHash('sha256').update(body).digest('base64') })
      .setProtectedHeader({ alg: 'HS256' })
      .setIssuer(LIVEKIT_KEY.apiKey)
      .setExpirationTime('5 m')
      .sign(new TextEncoder().encode(LIVEKIT_KEY.apiSecret))
    await untilDone('a notification is taken', () =>
      byTurn(async (base) => {
        const answer = await fetch(`${base}/api/v1/provider-events`, {
          method: 'POST',
          headers: { authorization: token, 'content-type': 'application/webhook+json' },
          body,
          signal: AbortSignal.timeout(5_000),
        })
        return answer.status === 200 || undefined
      }),
    )
  }

  async function visit(roomId: string, person: string): Promise<void> {
    const token = await signer.signToken({ roomId, role: 'panelist', name: person })
    const media = await untilDone('somebody is let in', () =>
      byTurn(async (base) => {
        const { media } = await actAsTenant({ ...tenant, base_url: base }).admit(roomId, token)
        return media
      }),
    )
    const { sub: identity = '', video } = decodeJwt<{ video: { room: string } }>(media.token)
    const sid = `PA_${randomUUID().replaceAll('-', '')}`
    const connection = {
      room: { name: video.room, sid: `RM_${video.room}` },
      participant: {
        sid,
        identity,
        state: 'ACTIVE',
        joinedAtMs: String(Date.now()),
      },
    }
    livekit.join(video.room, identity, sid)
    await notify({ event: 'participant_joined', ...connection })
    await waitFor(
      async () => {
        const entries = await signer.entries(roomId)
        return entries.filter(({ name }) => name === person).some(({ left_at }) => left_at === null)
      },
      { what: 'the entry is there', timeoutMs: LATER_MS },
    )
    livekit.leave(video.room, identity)
    await notify({ event: 'participant_left', ...connection })
  }

  return { signer, visit }
}

/** Kills and crashes, spread evenly over the work. */
async function disturb(cluster: Cluster, progress: () => number): Promise<void> {
  // Takes turns, so that two kills hit one of each kind.
  const members = cluster.apis.flatMap((api, n) => [api, ...cluster.workers.slice(n, n + 1)])
  const total = KILLS + CRASHES
  const everyCrash = Math.ceil(total / (CRASHES + 1))
  let kills = 0
  for (let done = 1; done <= total; done += 1) {
    await waitFor(() => progress() >= (done - 0.5) / total, {
      what: 'the work continues',
      timeoutMs: 600_000,
    })
    if (done % everyCrash === 0 && done / everyCrash <= CRASHES) {
      await cluster.crashDatabase()
      continue
    }
    await members[kills % members.length]?.kill()
    kills += 1
  }
}

test.runIf(IS_FULL_RUN)(
  'kills and crashes of the database lose nothing, keep the order, and end no process',
  async () => {
    const cluster = await startCluster({ apis: 2, workers: 2, env: { JOB_LEASE_SEC: '3' } })
    const receiver = await startReceiver()
    const members = [...cluster.apis, ...cluster.workers]
    try {
      const { tenant_id: tenantId } = cluster.tenant
      const where = ['--tenant', tenantId, '--url', receiver.url]
      const { secret } = (await cluster.admin('webhooks', 'set', ...where)) as { secret: string }
      receiver.keep(secret)
      const { signer, visit } = createVisits(cluster)
      const people = Array.from({ length: EVENTS / VISITS }, (_, n) => `person-${n}`)
      const rooms = await Promise.all(
        Array.from({ length: Math.ceil(people.length / PEOPLE_PER_ROOM) }, () => signer.book()),
      )
      const roomOf = (person: number) => rooms[Math.floor(person / PEOPLE_PER_ROOM)]?.id ?? ''

      let visits = 0
      const waiting = people.map((person, n) => ({ person, roomId: roomOf(n) }))
      const walk = async (): Promise<void> => {
        for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
          for (let n = 0; n < VISITS; n += 1) {
            await visit(next.roomId, next.person)
            visits += 1
          }
        }
      }
      const disturbing = disturb(cluster, () => visits / EVENTS)
      await Promise.all([disturbing, ...Array.from({ length: PEOPLE_AT_ONCE }, walk)])

      await waitFor(() => new Set(receiver.delivered.map(({ entry }) => entry)).size >= EVENTS, {
        what: 'everything is reported',
        timeoutMs: 300_000,
      })
      expect(receiver.wrong).toEqual([])
      const entries = await Promise.all(rooms.map(({ id }) => signer.entries(id)))
      const opened = entries.flat().map(({ id }) => id)
      expect(opened).toHaveLength(EVENTS)
      const byId = new Map(receiver.delivered.map((delivered) => [delivered.id, delivered]))
      expect([...byId.values()].map(({ entry }) => entry).toSorted((a, b) => a - b)).toEqual(
        opened.toSorted((a, b) => a - b),
      )
      for (const person of people) {
        const inOrder = [...byId.values()].filter((delivered) => delivered.person === person)
        const seen = inOrder.map(({ entry }) => entry)
        expect(seen).toEqual(seen.toSorted((a, b) => a - b))
      }
      expect(members.flatMap(({ ends }) => ends)).toEqual([])
      const codes = await Promise.all(members.map((member) => member.stop()))
      expect(codes).toEqual(members.map(() => 0))
    } finally {
      await cluster.stop()
      await receiver.close()
    }
  },
  1_800_000,
)
