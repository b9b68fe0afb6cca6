import { createHash, randomUUID } from 'node:crypto'
import { hostname } from 'node:os'

const LEFTOVER_AFTER_MS = 24 * 60 * 60 * 1000

const HOST = createHash('sha256').update(hostname()).digest('hex').slice(0, 12)
/** Distinguishes this process from an earlier one with the same number. */
const LIFE = randomUUID().slice(0, 8)
const NAME = /^(?<host>[0-9a-f]{12})\.(?<pid>\d{1,10})\.(?<life>[0-9a-f]{8})\.[-0-9a-f]{36}$/

/** A name for a temporary file that says which process owns it. */
export function ownedName(): string {
  return [HOST, process.pid, LIFE, randomUUID()].join('.')
}

/**
 * True if its owner is gone: its process on this machine has ended, or it is a day old. A file of another machine, or with another
 * kind of name, is judged only by its age.
 */
export function isLeftover(name: string, { mtimeMs }: { mtimeMs: number }, nowMs: number): boolean {
  if (nowMs - mtimeMs > LEFTOVER_AFTER_MS) return true
  const { host, pid, life } = NAME.exec(name)?.groups ?? {}
  if (host !== HOST) return false
  return Number(pid) === process.pid ? life !== LIFE : !isAlive(Number(pid))
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // A process of another user is alive, too.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
