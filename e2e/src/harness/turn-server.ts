import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { installWithApt } from '@interview-room/server/src/local/lib/apt.ts'
import { freePort } from './service.ts'
import { waitFor } from './wait.ts'

const HOST = '127.0.0.1'
const USER = { username: 'interviews', credential: 'a-word-that-only-tests-know-of' }

/** A TURN server, as it runs beside LiveKit. */
export interface TurnServer {
  /** The offer that the media server makes to clients. */
  offer: { urls: readonly string[]; username: string; credential: string }
  close(): Promise<void>
}

const isThere = () => spawnSync('turnserver', ['--version']).error === undefined

/** The reason why this machine cannot run a TURN server; undefined if it can. */
export function whyNoTurn(): string | undefined {
  if (isThere() || (installWithApt(['coturn']) && isThere())) return undefined
  return 'there is no coturn, and it cannot be installed'
}

/** coturn on the loopback interface, with UDP and with TLS, using that certificate for `localhost`. */
export async function startTurnServer(certificate: {
  cert: string
  key: string
}): Promise<TurnServer> {
  const folder = await mkdtemp(path.join(tmpdir(), 'interview-room-turn-'))
  const [port, tlsPort] = [await freePort(), await freePort()]
  const { username, credential } = USER
  const child = spawn(
    'turnserver',
    [
      '-n',
      '--no-cli',
      '--lt-cred-mech',
      '--realm=tests',
      `--user=${username}:${credential}`,
      `--listening-ip=${HOST}`,
      `--relay-ip=${HOST}`,
      '--allow-loopback-peers',
      '--no-dtls',
      `--listening-port=${port}`,
      `--tls-listening-port=${tlsPort}`,
      `--cert=${certificate.cert}`,
      `--pkey=${certificate.key}`,
      '--log-file=stdout',
      '--simple-log',
      `--pidfile=${path.join(folder, 'pid')}`,
      `--userdb=${path.join(folder, 'users')}`,
    ],
    { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] },
  )
  let log = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (bytes: Buffer) => (log += bytes.toString()))
  await waitFor(
    async () => {
      if (child.exitCode !== null) throw new Error(log)
      await Promise.all([port, tlsPort].map(connects))
      return true
    },
    { what: 'the TURN server listens' },
  )
  const urls = [`turn:${HOST}:${port}?transport=udp`, `turns:localhost:${tlsPort}?transport=tcp`]
  return {
    offer: { urls, ...USER },
    async close() {
      await endProcess(child)
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function connects(port: number): Promise<void> {
  const socket = connect(port, HOST)
  try {
    await once(socket, 'connect')
  } finally {
    socket.destroy()
  }
}

async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  await exited
}
