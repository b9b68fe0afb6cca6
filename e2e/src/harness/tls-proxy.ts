import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { createHash, X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { networkInterfaces, tmpdir } from 'node:os'
import path from 'node:path'
import tls from 'node:tls'
import { installWithApt } from '@interview-room/server/src/local/lib/apt.ts'
import { freePort, ROOT } from './service.ts'
import { waitFor } from './wait.ts'

/** Removed, because connections come straight to the proxy here, and Debian's Caddy is too old for this. */
const WRAPPERS = /^\t\tlistener_wrappers \{\n(?:\t{3}.*\n)+\t\t\}\n/gm
const CADDYFILE = path.join(ROOT, 'deploy/compose/Caddyfile')
/** Both api processes listen at one port of this name, as two containers share one name. */
export const API_HOSTS = ['127.0.0.1', '::1']

/** The proxy of compose.yaml, with certificates of its own authority. */
export interface TlsProxy {
  /** `localhost:<port>` for each name that leads somewhere. */
  domain: string
  filesDomain: string
  livekitDomain: string
  /** The authority that processes must trust (`NODE_EXTRA_CA_CERTS`). */
  authorityFile: string
  /** Certificate and key of `localhost`, as LiveKit's TURN takes them from the proxy. */
  certificate: { cert: string; key: string }
  /** A flag for Chromium: it trusts these certificates, and no others that it does not know. */
  browserFlag: string
  close(): Promise<void>
}

export interface ProxyTargets {
  /** At `API_HOSTS`. */
  apiPort: number
  objectsPort: number
  livekitPort: number
}

const isThere = () => spawnSync('caddy', ['version']).status === 0

/** The reason why this machine cannot run such a proxy; undefined if it can. */
export function whyNoProxy(): string | undefined {
  const all = Object.values(networkInterfaces()).flat()
  if (!all.some((each) => each?.address === '::1')) return 'there is no IPv6 loopback'
  if (isThere() || (installWithApt(['caddy']) && isThere())) return undefined
  return 'there is no caddy, and it cannot be installed'
}

/** Starts Caddy with the file of deploy/compose. Only names and ports are replaced. */
export async function startTlsProxy(targets: ProxyTargets): Promise<TlsProxy> {
  const folder = await mkdtemp(path.join(tmpdir(), 'interview-room-proxy-'))
  const ports = await Promise.all([freePort(), freePort(), freePort(), freePort()])
  const [domain = '', filesDomain = '', livekitDomain = '', turnDomain = ''] = ports.map(
    (port) => `localhost:${port}`,
  )
  const file = path.join(folder, 'Caddyfile')
  await writeFile(file, await adaptedFile(targets, folder))
  const child = spawn('caddy', ['run', '--config', file, '--adapter', 'caddyfile'], {
    env: {
      PATH: process.env['PATH'],
      HOME: folder,
      DOMAIN: domain,
      FILES_DOMAIN: filesDomain,
      LIVEKIT_DOMAIN: livekitDomain,
      TURN_DOMAIN: turnDomain,
      ACME_EMAIL: 'nobody@example.com',
      // As in a trial.
      CERT_ISSUER: 'internal',
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let log = ''
  child.stderr.on('data', (bytes: Buffer) => (log += bytes.toString()))
  const authority = path.join(folder, 'pki/authorities/local')
  const authorityFile = path.join(authority, 'root.crt')
  await waitFor(
    async () => {
      if (child.exitCode !== null) throw new Error(log)
      return isTrusted(turnDomain, await readFile(authorityFile, 'utf8'))
    },
    { what: 'the proxy has its certificates' },
  )
  const own = path.join(folder, 'certificates/local/localhost/localhost')
  return {
    domain,
    filesDomain,
    livekitDomain,
    authorityFile,
    certificate: { cert: `${own}.crt`, key: `${own}.key` },
    browserFlag: await browserFlag(path.join(authority, 'intermediate.crt')),
    async close() {
      await endProcess(child)
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function adaptedFile(
  { apiPort, objectsPort, livekitPort }: ProxyTargets,
  folder: string,
): Promise<string> {
  const own = ['auto_https disable_redirects', 'admin off', 'skip_install_trust']
  const replacements: readonly (readonly [string, string])[] = [
    [
      'email {$ACME_EMAIL}',
      ['email {$ACME_EMAIL}', ...own, `storage file_system ${folder}`].join('\n'),
    ],
    ['dynamic a api 3000', `dynamic a localhost ${apiPort}`],
    ['reverse_proxy objects:9000', `reverse_proxy 127.0.0.1:${objectsPort}`],
    ['reverse_proxy livekit:7880', `reverse_proxy 127.0.0.1:${livekitPort}`],
  ]
  return replacements.reduce(
    (text, [from, to]) => {
      if (text.split(from).length !== 2) throw new Error(`deploy/compose/Caddyfile: one "${from}"`)
      return text.replace(from, () => to)
    },
    await withoutWrappers(),
  )
}

async function withoutWrappers(): Promise<string> {
  const text = await readFile(CADDYFILE, 'utf8')
  if (text.match(WRAPPERS)?.length !== 1) throw new Error(`${CADDYFILE}: one block of wrappers`)
  return text.replace(WRAPPERS, '')
}

async function isTrusted(place: string, ca: string): Promise<boolean> {
  const { hostname, port } = new URL(`https://${place}`)
  const socket = tls.connect({ host: hostname, port: Number(port), servername: hostname, ca })
  try {
    await once(socket, 'secureConnect', { signal: AbortSignal.timeout(5_000) })
    return true
  } finally {
    socket.destroy()
  }
}

async function browserFlag(certificateFile: string): Promise<string> {
  const { publicKey } = new X509Certificate(await readFile(certificateFile))
  const key = publicKey.export({ type: 'spki', format: 'der' })
  const hash = createHash('sha256').update(key).digest('base64')
  return `--ignore-certificate-errors-spki-list=${hash}`
}

/** Makes the requests of this process trust the proxy's certificates until the returned function is called. */
export function trust(authority: string): () => void {
  const before = tls.getCACertificates('default')
  tls.setDefaultCACertificates([...before, authority])
  return () => tls.setDefaultCACertificates(before)
}

async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  await exited
}
