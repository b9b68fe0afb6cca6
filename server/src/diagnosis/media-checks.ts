import { randomUUID } from 'node:crypto'
import { TestClient } from '@interview-room/media-server/src/recorder/test-client.ts'
import { type Check, fail, type Outcome } from '../platform/checks/check.ts'
import { reasonOf } from '../platform/checks/reasons.ts'
import { isLoopback } from '../platform/checks/service-checks.ts'
import { ALL_RIGHTS } from '../platform/ports/media.ts'
import type { Diagnosis } from './diagnosis.ts'
import { until } from './until.ts'

const JOIN_MS = 10_000
const CONNECT_MS = 10_000
/** Media of another participant come within a second on a machine with time. */
const RECEIVE_MS = 8_000
const TOKEN_LIFE_SEC = 120

export const MEND_MEDIA =
  'Set rtc.node_ip of LiveKit to an address that clients and recorders reach (or rtc.use_external_ip), and open its media ports (docs/deployment.md#one-machine-with-compose).'

const afterJoin = { needs: ['livekit:signalling'] } as const

/** Pictures and sound of two people reach each other through the public address. */
export const MEDIA_CHECKS: readonly Check<Diagnosis>[] = [
  {
    name: 'livekit:participants',
    ask: async ({ offer }) => checkParticipants(offer?.maxParticipants ?? 0),
    passes: 'LiveKit has room for everybody',
    advice: 'Remove room.max_participants of LiveKit: the service sets no limit.',
    when: afterJoin,
  },
  {
    name: 'livekit:media',
    ask: checkMedia,
    passes: 'two clients send each other VP8 and Opus through LIVEKIT_PUBLIC_URL',
    advice: MEND_MEDIA,
    when: { needs: ['livekit:codecs', 'livekit:participants'] },
  },
]

/** Participants without a limit of LiveKit's: a moderator, a respondent, and as many panelists and returns as interviews have. */
const PARTICIPANTS_MIN = 10

export function checkParticipants(max: number): Outcome | undefined {
  if (max === 0 || max >= PARTICIPANTS_MIN) return undefined
  return fail(`LiveKit takes ${max} participants in a room, and refuses others`)
}

async function checkMedia(given: Diagnosis): Promise<Outcome | undefined> {
  const { config, clients, patience } = given
  const { publicUrl } = config.livekit
  clients.push(await clientOf(given), await clientOf(given))
  try {
    await Promise.all(clients.map((client) => client.join(patience * JOIN_MS)))
  } catch (error) {
    return fail(`LiveKit at ${publicUrl} does not let two people in (${reasonOf(error)})`)
  }
  try {
    await Promise.all(clients.map((client) => client.publish(patience * CONNECT_MS)))
  } catch (error) {
    return fail(`no media reach LiveKit, which offers ${offered(clients)} (${reasonOf(error)})`)
  }
  const missing = () =>
    (['video', 'audio'] as const).filter((kind) =>
      clients.some((each) => each.received[kind] === 0),
    )
  await until(patience * RECEIVE_MS, async () => missing().length === 0)
  if (missing().length > 0) {
    return fail(`${missing().join(' and ')} of one client do not reach the other through LiveKit`)
  }
  return checkAddresses(given)
}

/** LiveKit has reached the clients. Most people are behind a NAT, and must reach LiveKit first. */
async function checkAddresses(given: Diagnosis): Promise<Outcome | undefined> {
  const { clients, patience } = given
  const hosts = clients.flatMap((client) => client.offered).map((each) => each.split(' ')[1] ?? '')
  // On one machine, LiveKit may listen at another address than the one it offers.
  if (hosts.some(isLoopback)) return undefined
  const client = await clientOf(given, { isBehindNat: true })
  try {
    await client.join(patience * JOIN_MS)
    await client.publish(patience * CONNECT_MS)
    return undefined
  } catch (error) {
    const reason = reasonOf(error)
    return fail(
      `nobody behind a NAT reaches LiveKit, which offers ${offered([client])} (${reason})`,
    )
  } finally {
    await client.leave()
  }
}

async function clientOf(
  { media, config, room }: Diagnosis,
  how?: { isBehindNat: boolean },
): Promise<TestClient> {
  const token = await media.signToken({
    mediaRoom: room,
    identity: `doctor-${randomUUID()}`,
    displayName: 'doctor',
    role: 'panelist',
    rights: ALL_RIGHTS,
    lifeSec: TOKEN_LIFE_SEC,
  })
  return new TestClient(config.livekit.publicUrl, token, how)
}

function offered(clients: readonly TestClient[]): string {
  return [...new Set(clients.flatMap((client) => client.offered))].join(', ') || 'no address'
}
