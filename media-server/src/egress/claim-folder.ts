import { constants } from 'node:fs'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

export interface FolderClaim {
  release(): Promise<void>
}

const SOCKET = 'owner.sock'
/** A process that was asked to end, or whose parent has gone, needs a moment. */
const PATIENCE_MS = 10_000
const RETRY_MS = 100
/** Errors of file systems without sockets: there nobody can tell who works in a folder. */
const NO_SOCKETS = ['EOPNOTSUPP', 'ENOTSUP', 'EPERM', 'EINVAL']

/**
 * Keeps other processes of this machine out of a folder until the claim is released or this process ends, however it
 * ends: the owner listens on a socket in it, and one on which nobody listens belongs to nobody. Waits for an owner that
 * is about to end. Throws where there is another one; a file system without sockets is claimed by everybody.
 */
export async function claimFolder(folder: string, patienceMs = PATIENCE_MS): Promise<FolderClaim> {
  const handle = await open(folder, constants.O_RDONLY | constants.O_DIRECTORY)
  try {
    const server = await listenAlone(addressIn(folder, handle), patienceMs)
    if (server === undefined) throw new Error(`another process works in the folder ${folder}`)
    return {
      async release() {
        await new Promise((resolve) => server.close(resolve))
        await handle.close()
      },
    }
  } catch (error) {
    await handle.close()
    if (NO_SOCKETS.includes(codeOf(error) ?? '')) return { release: async () => {} }
    throw error
  }
}

/** Addresses of sockets are short: on Linux the open folder has a short name. */
function addressIn(folder: string, { fd }: FileHandle): string {
  return path.join(process.platform === 'linux' ? `/proc/self/fd/${fd}` : folder, SOCKET)
}

async function listenAlone(address: string, patienceMs: number): Promise<Server | undefined> {
  const endMs = performance.now() + patienceMs
  for (;;) {
    const server = await listen(address)
    if (server !== undefined) return server
    if (!(await isAnswered(address))) await rm(address, { force: true })
    else if (performance.now() >= endMs) return undefined
    else await delay(RETRY_MS)
  }
}

/** Undefined where there is a socket already. */
async function listen(address: string): Promise<Server | undefined> {
  const server = createServer((socket) => socket.destroy()).unref()
  const listening = Promise.withResolvers<Server | undefined>()
  server.once('listening', () => listening.resolve(server))
  server.once('error', (error) => {
    if (codeOf(error) === 'EADDRINUSE') listening.resolve(undefined)
    else listening.reject(error)
  })
  server.listen(address)
  return listening.promise
}

async function isAnswered(address: string): Promise<boolean> {
  const answered = Promise.withResolvers<boolean>()
  const socket = connect(address)
  socket.once('connect', () => answered.resolve(true))
  socket.once('error', () => answered.resolve(false))
  return answered.promise.finally(() => socket.destroy())
}

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code
