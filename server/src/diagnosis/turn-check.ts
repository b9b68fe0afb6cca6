import { once } from 'node:events'
import { isIP } from 'node:net'
import { connect } from 'node:tls'
import { createTurnClient } from 'werift'
import { fail, ok, type Outcome, warn } from '../platform/checks/check.ts'
import { reasonOf } from '../platform/checks/reasons.ts'
import { isLoopback } from '../platform/checks/service-checks.ts'
import { systemClock } from '../platform/lib/clock.ts'
import type { IceServer } from '../platform/media/livekit/probe-livekit.ts'

const ANSWER_MS = 5_000
const DAY_MS = 24 * 60 * 60 * 1000
/**
 * Certificates of 90 days are renewed a month before their end. Later than that, the renewal failed, or the new one is not served.
 */
const CERTIFICATE_DAYS_MIN = 14
const MEND =
  'Start the TURN server, open its ports (docs/deployment.md#turn), and check its name, its certificate and its secret in the configuration of LiveKit.'
/** For TLS, LiveKit announces its own TURN server at 443 even if `turn.tls_port` is another port. */
const MEND_443 = `Let port 443 of that name lead to turn.tls_port of LiveKit, or set that to 443: LiveKit announces no other (docs/deployment.md#turn). ${MEND}`
const MEND_CERTIFICATE =
  'Renew it, and restart LiveKit, which reads the certificate only at its start (docs/runbook.md#turn-fails).'

interface TurnAddress {
  url: string
  host: string
  port: number
  transport: 'udp' | 'tcp' | 'tls'
  username: string
  password: string
}

/** Checks that a browser that reaches no other media port gets a relay from every TURN server that LiveKit offers. */
export async function checkTurn(
  publicUrl: string,
  servers: readonly IceServer[],
): Promise<Outcome> {
  const outcomes = await Promise.all(servers.flatMap(turnAddresses).map(tryTurn))
  const [first] = outcomes
  if (first === undefined) return judgeAbsence(publicUrl)
  const firstOf = (wanted: Outcome['result']) => outcomes.find(({ result }) => result === wanted)
  const worst = firstOf('fail') ?? firstOf('warn') ?? first
  const alike = outcomes.filter(({ result }) => result === worst.result)
  return { ...worst, detail: alike.map(({ detail }) => detail).join('; ') }
}

function judgeAbsence(publicUrl: string): Outcome {
  if (isLoopback(new URL(publicUrl).hostname)) {
    return ok('no TURN is offered, and none is needed on one machine')
  }
  return warn(
    'LiveKit offers no TURN: people behind strict firewalls get no media',
    'Enable turn in the configuration of LiveKit (docs/deployment.md#turn).',
  )
}

/** Addresses as RFC 7065 writes them. STUN servers and unreadable ones are left out. */
function turnAddresses({ urls, username, credential }: IceServer): TurnAddress[] {
  return urls.flatMap((url) => {
    const match = /^(turns?):(\[[^\]]+\]|[^:?]+)(?::(\d+))?(?:\?transport=(udp|tcp))?$/.exec(url)
    if (match === null) return []
    const [, scheme, host = '', port = scheme === 'turns' ? '5349' : '3478', over = 'udp'] = match
    return {
      url,
      host: host.replaceAll(/[[\]]/g, ''),
      port: Number(port),
      transport: scheme === 'turns' ? 'tls' : (over as 'udp' | 'tcp'),
      username,
      password: credential,
    }
  })
}

async function tryTurn(address: TurnAddress): Promise<Outcome> {
  try {
    const endMs = address.transport === 'tls' ? await certificateEnd(address) : undefined
    await allocate(address)
    const days =
      endMs === undefined ? Infinity : Math.floor((endMs - systemClock().getTime()) / DAY_MS)
    if (days >= CERTIFICATE_DAYS_MIN) return ok(`TURN relays at ${address.url}`)
    return warn(`the certificate of ${address.url} ends in ${days} days`, MEND_CERTIFICATE)
  } catch (error) {
    const reason = reasonOf(error)
    const { url } = address
    return fail(`TURN does not relay at ${url} (${reason})`, mendOf(address, reason))
  }
}

function mendOf({ transport, port }: TurnAddress, reason: string): string {
  if (reason.includes('CERT_HAS_EXPIRED')) return MEND_CERTIFICATE
  return transport === 'tls' && port === 443 ? MEND_443 : MEND
}

/** Throws if a browser would not trust the certificate. */
async function certificateEnd({ host, port }: TurnAddress): Promise<number> {
  const socket = connect({ host, port, ...serverNameOf(host) })
  try {
    await once(socket, 'secureConnect', { signal: AbortSignal.timeout(ANSWER_MS) })
    return Date.parse(socket.getPeerCertificate().valid_to)
  } finally {
    socket.destroy()
  }
}

/** The name by which a proxy at port 443 may route the connection, as with browsers. */
function serverNameOf(host: string): { servername?: string } {
  return isIP(host) === 0 ? { servername: host } : {}
}

/** Requests a relay with the credentials that a browser gets, and releases it. */
async function allocate(address: TurnAddress): Promise<void> {
  const { host, port, transport, username, password } = address
  const server = { address: [host, port] as const, username, password }
  const tlsOptions = serverNameOf(host)
  const client = createTurnClient(server, { transport, tlsOptions, connectTimeoutMs: ANSWER_MS })
  const { promise: timeout, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error('no answer')), ANSWER_MS)
  try {
    await Promise.race([client, timeout])
  } finally {
    clearTimeout(timer)
    // Over UDP, the client repeats its request for longer than we wait.
    void client.then(
      (allocated) => allocated.close(),
      () => {},
    )
  }
}
