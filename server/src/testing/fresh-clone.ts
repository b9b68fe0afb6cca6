import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '../local/lib/ports.ts'
import { copySources, ROOT } from './repository-copy.ts'

const run = promisify(execFile)
/** A first installation on a busy machine. */
const INSTALL_MAX_MS = 15 * 60_000

/** The versions of Node and npm that a machine has. */
export interface Machine {
  node: string
  npm: string
}

export interface Surroundings {
  /** Name of the folder that the clone is in. */
  folder?: string
  /** A command that runs the start, and the request to it, in another place. */
  inside?: readonly string[]
  /** Variables of the environment; undefined takes one away. */
  env?: Readonly<Record<string, string | undefined>>
  /** User and group of every command; by default those of this process. */
  userId?: number
}

interface Outcome {
  /** Status and media type of the page at `/`. */
  page: string
  /** Everything that `npm start` printed. */
  printed: string
}

/**
 * Runs `npm install && npm start` in a clone of the working tree and asks for the page at `/`. Throws where a command fails, with
 * its output.
 */
export async function startFreshClone(
  { node, npm }: Machine,
  { folder = 'clone', inside = [], env = {}, userId }: Surroundings = {},
): Promise<Outcome> {
  const top = await mkdtemp(path.join(tmpdir(), 'interview-room-first-'))
  try {
    const clone = path.join(top, folder)
    const bin = await installMachine({ node, npm }, path.join(top, 'machine'))
    await copySources(clone)
    const user = userId === undefined ? {} : { uid: userId, gid: userId }
    if (userId !== undefined) await run('chown', ['-R', `${userId}:${userId}`, top])
    const port = String(await freePort('127.0.0.1'))
    const options = {
      ...user,
      cwd: clone,
      env: {
        HOME: process.env['HOME'],
        NODE_EXTRA_CA_CERTS: process.env['NODE_EXTRA_CA_CERTS'],
        // The packages were fetched for this checkout already.
        ...(userId === undefined && { npm_config_cache: path.join(ROOT, '.npm-cache') }),
        INSTALL_MISSING: 'false',
        ...env,
        PATH: `${bin}:/usr/sbin:/usr/bin:/sbin:/bin`,
        PORT: port,
        MEDIA_PORT: String(await freePort('127.0.0.1')),
      },
    }
    const installing = { ...options, timeout: INSTALL_MAX_MS, maxBuffer: 2 ** 26 }
    await run('npm', ['install'], installing)
    return await start([...inside, 'npm', 'start'], inside, options)
  } finally {
    await rm(top, { recursive: true, force: true })
  }
}

/** Puts `node` and `npm` of these versions into a folder for PATH. */
async function installMachine({ node, npm }: Machine, folder: string): Promise<string> {
  const nodePackage = `node-linux-${process.arch}`
  await mkdir(folder, { recursive: true })
  await writeFile(path.join(folder, 'package.json'), '{}')
  const packages = [`npm@${npm}`, `${nodePackage}@${node}`]
  await run('npm', ['install', '--ignore-scripts', ...packages], { cwd: folder })
  const bin = path.join(folder, 'bin')
  await mkdir(bin)
  await symlink(`../node_modules/${nodePackage}/bin/node`, path.join(bin, 'node'))
  await symlink('../node_modules/npm/bin/npm-cli.js', path.join(bin, 'npm'))
  await symlink('../node_modules/npm/bin/npx-cli.js', path.join(bin, 'npx'))
  return bin
}

/** Asks PORT until there is an answer, and prints its status and media type. */
const ASK = `
  for (;;) {
    const page = await fetch('http://localhost:' + process.env.PORT).catch(() => undefined)
    if (page !== undefined) {
      console.log(page.status, page.headers.get('content-type'))
      process.exit()
    }
    await new Promise((resolve) => setTimeout(resolve, 200))
  }`

async function start(
  [program = '', ...args]: readonly string[],
  inside: readonly string[],
  options: { cwd: string; env: NodeJS.ProcessEnv; uid?: number; gid?: number },
): Promise<Outcome> {
  const child = spawn(program, args, { ...options, detached: true })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => (printed += String(chunk)))
  }
  const closed = once(child, 'close')
  try {
    const asking = [process.execPath, '--input-type=module', '-e', ASK]
    const [first = '', ...rest] = [...inside, ...asking]
    const asked = run(first, rest, { env: { ...process.env, PORT: options.env['PORT'] } })
    const ended = closed.then(() => {
      throw new Error(`npm start has ended:\n${printed}`)
    })
    const { stdout } = await Promise.race([asked, ended])
    return { page: stdout.trim(), printed }
  } finally {
    // Ctrl-C in a terminal reaches the whole group.
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGINT')
    await closed
  }
}
