import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import {
  type CaptureEvent,
  readCaptureEvents,
} from '@interview-room/composer/capture/capture-events.ts'
import { EgressInfo } from '@livekit/protocol'
import type { EgressJob } from './job.ts'
import { isOfCapture } from './output.ts'

/** State kept of an unfinished egress, for recovery after a crash. */
export interface StoredEgress {
  info: EgressInfo
  job: EgressJob
}

const ATTEMPT = 'attempt-'
const KEPT_MS = 24 * 60 * 60 * 1000

/**
 * The folder in which egresses work: `EG_…` for each unfinished one, `ended` with the info of finished
 * ones for a day, and `failed` with the captures of failed ones, for a day too.
 */
export class WorkFolder {
  readonly root: string

  constructor(root: string) {
    this.root = root
  }

  folderOf(egressId: string): string {
    return path.join(this.root, egressId)
  }

  /** Folder of a capture from which a file is made here. */
  captureFolderOf(egressId: string): string {
    return path.join(this.folderOf(egressId), 'capture')
  }

  /** Folder of one chunk of a capture that is delivered in chunks. It goes away after the delivery. */
  chunkFolderOf(egressId: string, number: number): string {
    return path.join(this.#chunksOf(egressId), String(number))
  }

  /** Folder in which the capture begins. */
  firstFolderOf({ info: { egressId }, job: { output } }: StoredEgress): string {
    return isOfCapture(output) ? this.chunkFolderOf(egressId, 1) : this.captureFolderOf(egressId)
  }

  async prepare(): Promise<void> {
    for (const name of ['ended', 'failed']) {
      await mkdir(path.join(this.root, name), { recursive: true, mode: 0o700 })
    }
  }

  async create(stored: StoredEgress): Promise<void> {
    await mkdir(this.firstFolderOf(stored), { recursive: true, mode: 0o700 })
    await this.save(stored)
  }

  /** How the capture begins, as far as that is still on this disk. Throws where the disk does not give it. */
  async eventsOf(stored: StoredEgress): Promise<CaptureEvent[]> {
    for (const folder of [this.firstFolderOf(stored), this.captureFolderOf(stored.info.egressId)]) {
      const events = await orAbsent(readCaptureEvents(path.join(folder, 'facts.jsonl')), [])
      if (events.length > 0) return events
    }
    return []
  }

  async makeChunk(egressId: string, number: number): Promise<string> {
    const folder = this.chunkFolderOf(egressId, number)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    return folder
  }

  /** The numbers of the chunks whose folders are here, in order. Throws where the disk does not give them. */
  async listChunks(egressId: string): Promise<number[]> {
    const names = await orAbsent(readdir(this.#chunksOf(egressId)), [])
    return names.map(Number).toSorted((a, b) => a - b)
  }

  /** When something was last written to a chunk, in milliseconds since 1970. */
  async writtenAtMs(egressId: string, number: number): Promise<number> {
    const folder = this.chunkFolderOf(egressId, number)
    const files = (await readdir(folder)).map((name) => path.join(folder, name))
    const stats = await Promise.all([folder, ...files].map((file) => stat(file)))
    return Math.max(...stats.map(({ mtimeMs }) => mtimeMs))
  }

  async removeChunk(egressId: string, number: number): Promise<void> {
    await rm(this.chunkFolderOf(egressId, number), { recursive: true, force: true })
  }

  /** Only the owner may read it: the job holds the credentials of the upload. */
  async save({ info, job }: StoredEgress): Promise<void> {
    const content = JSON.stringify({ info: info.toJson(), job })
    await replaceFile(path.join(this.folderOf(info.egressId), 'egress.json'), content)
  }

  /**
   * Egresses that have not ended. A folder that does not say whose it is is set aside: of a process killed before
   * the first save, or while it set a failed one aside. One that cannot be read now stays for the next start.
   */
  async listUnfinished(onUnreadable: (egressId: string, error: unknown) => void) {
    const found: StoredEgress[] = []
    for (const name of await readdir(this.root)) {
      if (!name.startsWith('EG_')) continue
      try {
        const stored = await this.#read(name)
        if (stored === undefined) await this.setAside(name)
        else found.push(stored)
      } catch (error) {
        onUnreadable(name, error)
      }
    }
    return found.toSorted((a, b) => Number(a.info.startedAt - b.info.startedAt))
  }

  /** The size of what was captured and will be composed here. */
  async capturedBytes(): Promise<number> {
    let bytes = 0
    for (const name of await readdir(this.root)) {
      if (name.startsWith('EG_')) bytes += await sizeOf(this.captureFolderOf(name))
    }
    return bytes
  }

  async remove(egressId: string): Promise<void> {
    await rm(this.folderOf(egressId), { recursive: true, force: true })
  }

  /** An empty folder for composing; those of attempts before it go away. */
  async newAttempt(egressId: string): Promise<string> {
    const folder = this.folderOf(egressId)
    for (const name of await readdir(folder)) {
      if (name.startsWith(ATTEMPT))
        await rm(path.join(folder, name), { recursive: true, force: true })
    }
    return mkdtemp(path.join(folder, ATTEMPT))
  }

  async saveEnded(info: EgressInfo): Promise<void> {
    await replaceFile(path.join(this.root, 'ended', `${info.egressId}.json`), info.toJsonString())
  }

  async listEnded(): Promise<EgressInfo[]> {
    const folder = path.join(this.root, 'ended')
    const infos: EgressInfo[] = []
    for (const name of await readdir(folder)) {
      if (!name.endsWith('.json')) continue
      const text = await readFile(path.join(folder, name), 'utf8')
      infos.push(EgressInfo.fromJsonString(text, { ignoreUnknownFields: true }))
    }
    return infos
  }

  /** Sets aside what was captured for an egress that failed, without the credentials. */
  async setAside(egressId: string): Promise<void> {
    await rm(path.join(this.folderOf(egressId), 'egress.json'), { force: true })
    await rename(this.folderOf(egressId), path.join(this.root, 'failed', egressId))
  }

  /** Removes what has been kept for a day. */
  async sweep(nowMs: number): Promise<void> {
    for (const kind of ['ended', 'failed']) {
      const folder = path.join(this.root, kind)
      for (const name of await readdir(folder)) {
        const file = path.join(folder, name)
        const { mtimeMs } = await stat(file)
        if (nowMs - mtimeMs > KEPT_MS) await rm(file, { recursive: true, force: true })
      }
    }
  }

  #chunksOf(egressId: string): string {
    return path.join(this.folderOf(egressId), 'chunks')
  }

  /** Undefined where nothing was saved. Throws where the disk does not give it. */
  async #read(egressId: string): Promise<StoredEgress | undefined> {
    return orAbsent(readStored(path.join(this.folderOf(egressId), 'egress.json')), undefined)
  }
}

async function readStored(file: string): Promise<StoredEgress> {
  const { info, job } = JSON.parse(await readFile(file, 'utf8')) as {
    info: Parameters<typeof EgressInfo.fromJson>[0]
    job: EgressJob
  }
  return { info: EgressInfo.fromJson(info, { ignoreUnknownFields: true }), job }
}

/** `absent` for what is not there, or broken. Throws an error of the disk, after which the same may be there. */
async function orAbsent<T>(reading: Promise<T>, absent: T): Promise<T> {
  try {
    return await reading
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException
    if (syscall !== undefined && code !== 'ENOENT') throw error
    return absent
  }
}

/** Size of the files in a folder, which may be going away. */
async function sizeOf(folder: string): Promise<number> {
  const names = await readdir(folder).catch(() => [])
  const sizes = await Promise.all(
    names.map((name) =>
      stat(path.join(folder, name)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

async function replaceFile(file: string, content: string): Promise<void> {
  const temporary = `${file}.new`
  await writeFile(temporary, content, { mode: 0o600, flush: true })
  await rename(temporary, file)
}
