import { constants } from 'node:fs'
import { access, mkdir, statfs } from 'node:fs/promises'
import { findFfmpeg } from '@interview-room/composer/find-ffmpeg.ts'
import { type EgressInfo, EgressStatus, Room as RoomInfo } from '@livekit/protocol'
import { TwirpError } from '../api/twirp.ts'
import type { WebhookSender } from '../api/webhooks.ts'
import { type Log, reasonOf } from '../lib/log.ts'
import { createTaskQueue } from '../lib/task-queue.ts'
import { claimFolder, type FolderClaim } from './claim-folder.ts'
import type { DeliveryReport } from './delivery-progress.ts'
import type { EgressRooms, RecordableRoom } from './egress-rooms.ts'
import { Egress, type EgressContext } from './egress.ts'
import { beginMsOf, isRecording, newInfo } from './info.ts'
import type { EgressJob } from './job.ts'
import { isOfCapture } from './output.ts'
import { produce } from './produce.ts'
import type { EgressRequest } from './read-request.ts'
import { type StoredEgress, WorkFolder } from './work-folder.ts'

// Composing needs as much again as was captured; the file itself is smaller.
const COMPOSING_SHARE = 2
const RESERVE_BYTES = 256 * 1024 * 1024

export interface EgressOptions {
  /** Folder of captures and their state until they are files. */
  folder: string
  /** Local files are written below this folder. */
  outputFolder: string
  /** An egress that runs longer ends with LIMIT_REACHED and its file. Default: no limit. */
  sessionMinutesMax?: number
  /** How long to wait for the first packet. Default: 60 s. */
  startTimeoutSec?: number
  /** So many record at a time; one more is refused. Default: no limit. */
  recordingMax?: number
  /** How much is delivered at a time of a capture that is asked for. Default: 2 s. */
  chunkSec?: number
  /** How long another process may take to leave the folder. Default: 10 s. */
  claimPatienceMs?: number
  /** For tests: what the disk has left. */
  freeBytes?: FreeSpace
  /** FFMPEG_PATH names the program; without it, PATH is searched. */
  env?: Readonly<Record<string, string | undefined>>
}

export interface EgressesDeps {
  rooms: EgressRooms
  webhooks: WebhookSender
  log: Log
}

const START_TIMEOUT_SEC = 60
/** A recorder that is lost with its disk takes that much with it. */
const CHUNK_SEC = 2
/** After that, the service that requested it has begun another segment. */
const RESUME_MAX_MS = 10_000
const SPACE_INTERVAL_MS = 2000
const SWEEP_INTERVAL_MS = 10 * 60_000
const ENDED_KEPT_MS = 24 * 60 * 60 * 1000

/** Every egress of the server: those that run, and for a day those that ended. */
export class Egresses {
  readonly #options: EgressOptions
  readonly #deps: EgressesDeps
  readonly #work: WorkFolder
  readonly #running = new Map<string, Egress>()
  readonly #ended = new Map<string, EgressInfo>()
  readonly #context: EgressContext
  readonly #stopping = new AbortController()
  /** Requests that are let in and do not record yet. */
  #beginning = 0
  #claim: FolderClaim | undefined
  readonly #recovered = Promise.withResolvers<void>()
  readonly #sweepTimer: NodeJS.Timeout
  readonly #spaceTimer: NodeJS.Timeout

  constructor(options: EgressOptions, deps: EgressesDeps) {
    this.#options = options
    this.#deps = deps
    this.#work = new WorkFolder(options.folder)
    const queue = createTaskQueue()
    const { log } = deps
    const env = options.env ?? process.env
    const { signal } = this.#stopping
    this.#context = {
      work: this.#work,
      log,
      limits: {
        startTimeoutMs: (options.startTimeoutSec ?? START_TIMEOUT_SEC) * 1000,
        sessionMs: (options.sessionMinutesMax ?? 0) * 60_000,
        chunkMs: (options.chunkSec ?? CHUNK_SEC) * 1000,
      },
      produce: (egress) => produce(egress, { work: this.#work, env, log, signal, queue }),
      notify: (info, event) => this.#notify(info, event),
    }
    this.#sweepTimer = setInterval(() => void this.#sweep(), SWEEP_INTERVAL_MS).unref()
    this.#spaceTimer = setInterval(() => void this.#watchSpace(), SPACE_INTERVAL_MS).unref()
  }

  get recordingMax(): number | undefined {
    return this.#options.recordingMax
  }

  get outputFolder(): string {
    return this.#options.outputFolder
  }

  /** Takes up what a process before this one left behind. */
  async recover(): Promise<void> {
    try {
      await this.#takeUp()
    } finally {
      this.#recovered.resolve()
    }
  }

  /** Until then some are not known, and none may be answered for. */
  get recovered(): Promise<void> {
    return this.#recovered.promise
  }

  async #takeUp(): Promise<void> {
    if (findFfmpeg(this.#options.env ?? process.env) === undefined) {
      this.#deps.log({
        level: 'warn',
        msg: 'no ffmpeg found: recordings will fail; install it, or set FFMPEG_PATH',
      })
    }
    await this.#openFolder()
    await this.#work.sweep(Date.now())
    for (const info of await this.#work.listEnded()) this.#ended.set(info.egressId, info)
    const complain = (egressId: string, error: unknown) => {
      const reason = reasonOf(error)
      this.#deps.log({ level: 'error', msg: 'egress left for the next start', egressId, reason })
      this.#running.delete(egressId)
    }
    for (const stored of await this.#work.listUnfinished(complain)) {
      const { egressId } = stored.info
      await this.#recoverOne(stored).catch((error: unknown) => complain(egressId, error))
    }
  }

  async #openFolder(): Promise<void> {
    const { root } = this.#work
    await orUnusable('EGRESS_DIR (--egress-dir)', root, async () => {
      await this.#work.prepare()
      // Two would take each other's recordings for those of a former process.
      this.#claim = await claimFolder(root, this.#options.claimPatienceMs)
    })
    const { outputFolder } = this.#options
    await orUnusable('EGRESS_OUTPUT_DIR (--egress-output-dir)', outputFolder, async () => {
      await mkdir(outputFolder, { recursive: true, mode: 0o700 })
      await access(outputFolder, constants.W_OK)
    })
  }

  async start(room: RecordableRoom, request: EgressRequest, job: EgressJob): Promise<EgressInfo> {
    this.#refuseBeyondMax()
    this.#beginning++
    try {
      return await this.#begin(room, request, job)
    } finally {
      this.#beginning--
    }
  }

  async #begin(room: RecordableRoom, request: EgressRequest, job: EgressJob): Promise<EgressInfo> {
    if (!(await this.hasSpace())) {
      throw new TwirpError('resource_exhausted', 'the disk of the recorder is nearly full')
    }
    const info = newInfo(room, request)
    await this.#work.create({ info, job })
    const egress = this.newEgress({ info, job }, this.#context)
    this.#running.set(info.egressId, egress)
    const answer = info.clone()
    const source = room.enter({ egressId: info.egressId, selection: job.selection })
    egress.begin(source)
    // The room may have finished while the folder was made.
    if (source.isFinished) egress.end('Source closed')
    return answer
  }

  find(egressId: string): Egress | undefined {
    return this.#running.get(egressId)
  }

  findEnded(egressId: string): EgressInfo | undefined {
    return this.#ended.get(egressId)
  }

  /** Oldest first. */
  list(): EgressInfo[] {
    const running = [...this.#running.values()].map(({ info }) => info)
    return [...this.#ended.values(), ...running].toSorted((a, b) =>
      Number(a.startedAt - b.startedAt),
    )
  }

  /** How far each capture is that has not ended yet. */
  get deliveries(): DeliveryReport[] {
    return [...this.#running.values()]
      .filter(({ record }) => isOfCapture(record.job.output))
      .map(({ record }) => record.progress.report(record.info.egressId))
  }

  /** Stops capturing and composing; the next process continues where this one stopped. */
  async close(): Promise<void> {
    clearInterval(this.#sweepTimer)
    clearInterval(this.#spaceTimer)
    this.#stopping.abort(new Error('the server is closing'))
    await Promise.all([...this.#running.values()].map((egress) => egress.suspend()))
    await this.#claim?.release()
  }

  /** Number of egresses that capture; one that waits to be composed does not count. */
  get recordingCount(): number {
    return [...this.#running.values()].filter(({ record: { info } }) => isRecording(info)).length
  }

  /** True while the disk has room for another recording. */
  hasSpace(): Promise<boolean> {
    return hasSpace(this.#work, this.#options.freeBytes ?? freeBytesOf)
  }

  /** Ends what records while its files can still be made. */
  async #watchSpace(): Promise<void> {
    if (this.recordingCount === 0) return
    const isEnough = await this.hasSpace().catch((error: unknown) => {
      this.#deps.log({ level: 'warn', msg: 'disk space unknown', reason: reasonOf(error) })
      return true
    })
    if (isEnough) return
    this.#deps.log({ level: 'error', msg: 'disk nearly full: recordings stopped' })
    for (const egress of this.#running.values()) egress.end('Disk nearly full')
  }

  #refuseBeyondMax(): void {
    const { recordingMax } = this.#options
    const recording = this.recordingCount + this.#beginning
    if (recordingMax === undefined || recording < recordingMax) return
    const text = `this recorder records ${recordingMax} at a time, and as many are running`
    throw new TwirpError('resource_exhausted', text)
  }

  protected newEgress(stored: StoredEgress, context: EgressContext): Egress {
    return new Egress(stored, context)
  }

  async #recoverOne(stored: StoredEgress): Promise<void> {
    const { egressId } = stored.info
    const events = await this.#work.eventsOf(stored)
    const egress = this.newEgress(stored, this.#context)
    this.#running.set(egressId, egress)
    this.#deps.log({ level: 'warn', msg: 'egress resumed', egressId })
    if (await this.#resumes(egress)) return
    // The chunk that says so may be delivered.
    const known = beginMsOf(stored.info)
    const begunAtMs = known > 0 ? known : events.find(({ fact }) => fact === 'active')?.atMs
    const left = await this.#work.listChunks(egressId)
    egress.record.progress.reach(Date.now() - left.length * this.#context.limits.chunkMs)
    egress.recover(begunAtMs)
  }

  /** Continues to capture when it was killed only a moment ago, and its room is still there. */
  async #resumes(egress: Egress): Promise<boolean> {
    const { info, job } = egress.record
    const { egressId, roomName, roomId, status } = info
    const left = await this.#work.listChunks(egressId)
    const newest = left.at(-1)
    if (status !== EgressStatus.EGRESS_ACTIVE || newest === undefined) return false
    const silentMs = Date.now() - (await this.#work.writtenAtMs(egressId, newest))
    if (silentMs > RESUME_MAX_MS) return false
    const room = await this.#roomAgain(roomName)
    if (room?.sid !== roomId) return false
    const folder = await this.#work.makeChunk(egressId, newest + 1)
    egress.resume(room.enter({ egressId, selection: job.selection }), { folder, left })
    return true
  }

  async #roomAgain(name: string): Promise<RecordableRoom | undefined> {
    try {
      return await this.#deps.rooms.find(name)
    } catch (error) {
      this.#deps.log({ level: 'warn', msg: 'room not found again', reason: reasonOf(error) })
      return undefined
    }
  }

  #notify(info: EgressInfo, event: 'egress_started' | 'egress_updated' | 'egress_ended'): void {
    const { egressId, roomId: sid, roomName: name } = info
    if (event === 'egress_ended') this.#settle(info)
    this.#markRecorded(name)
    this.#deps.webhooks.send(egressId, {
      event,
      egressInfo: info,
      room: new RoomInfo({ sid, name }),
    })
  }

  #settle(info: EgressInfo): void {
    this.#running.delete(info.egressId)
    this.#ended.set(info.egressId, info)
  }

  #markRecorded(roomName: string): void {
    const { EGRESS_ACTIVE } = EgressStatus
    const isRecorded = [...this.#running.values()].some(
      ({ record: { info } }) => info.roomName === roomName && info.status === EGRESS_ACTIVE,
    )
    this.#deps.rooms.markRecorded(roomName, isRecorded)
  }

  async #sweep(): Promise<void> {
    const nowMs = Date.now()
    for (const [egressId, { endedAt }] of this.#ended) {
      if (nowMs - Number(endedAt / 1_000_000n) > ENDED_KEPT_MS) this.#ended.delete(egressId)
    }
    await this.#work.sweep(nowMs).catch((error: unknown) => {
      this.#deps.log({
        level: 'warn',
        msg: 'sweeping the egress folder failed',
        reason: reasonOf(error),
      })
    })
  }
}

type FreeSpace = (folder: string) => Promise<number>

/** True while everything captured can still be composed, and a little more be captured. */
async function hasSpace(work: WorkFolder, freeBytes: FreeSpace): Promise<boolean> {
  const neededBytes = COMPOSING_SHARE * (await work.capturedBytes()) + RESERVE_BYTES
  return (await freeBytes(work.root)) > neededBytes
}

/** Bytes that this process may still write on the disk of a folder. */
async function freeBytesOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

/** Repeats an error of the system about a folder in a sentence that names its setting. */
async function orUnusable(
  setting: string,
  folder: string,
  prepare: () => Promise<void>,
): Promise<void> {
  try {
    await prepare()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error
    const text = `${setting} cannot be used, the folder ${folder}: ${reasonOf(error)}`
    throw new Error(text, { cause: error })
  }
}
