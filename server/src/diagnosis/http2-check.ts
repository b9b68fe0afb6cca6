import { once } from 'node:events'
import { isIP } from 'node:net'
import { connect } from 'node:tls'
import { ok, type Outcome, warn } from '../platform/checks/check.ts'

const ANSWER_MS = 5_000
const MEND = 'Let what ends TLS at PUBLIC_URL speak HTTP/2 (docs/deployment.md#tls).'

/** Each open page holds a stream. Over HTTP/1.1 a browser opens six connections to a name, and the seventh page waits. */
export async function checkHttp2(publicUrl: string): Promise<Outcome> {
  const { protocol, hostname, port } = new URL(publicUrl)
  if (protocol !== 'https:') {
    return ok(`browsers open at most six pages of ${publicUrl}, which has no TLS and so no HTTP/2`)
  }
  const host = hostname.replaceAll(/[[\]]/g, '')
  const socket = connect({
    host,
    port: port === '' ? 443 : Number(port),
    ALPNProtocols: ['h2', 'http/1.1'],
    ...(isIP(host) === 0 && { servername: host }),
    // Nothing is sent. `address:service` checks the certificate.
    rejectUnauthorized: false,
  })
  try {
    await once(socket, 'secureConnect', { signal: AbortSignal.timeout(ANSWER_MS) })
    if (socket.alpnProtocol === 'h2') return ok(`${publicUrl} speaks HTTP/2`)
    return warn(`${publicUrl} speaks no HTTP/2: a browser opens at most six pages of it`, MEND)
  } finally {
    socket.destroy()
  }
}
