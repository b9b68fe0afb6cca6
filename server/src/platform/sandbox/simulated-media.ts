import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { copyFile, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { inTransaction, type Tx } from '../db/db.ts'
import type { Deps } from '../ports/deps.ts'
import type { Egress, EgressSpec, StartedEgress } from '../ports/egress.ts'
import { type Media, MediaError } from '../ports/media.ts'
import { egressNews, hasUploadFailed, type Notify, roomFinishedNews } from './provider-news.ts'
import { repeatSample } from './repeat-sample.ts'
import { disconnect } from './simulated-people.ts'
import {
  claimEnd,
  deleteMediaRoom,
  findIsSandboxRoom,
  findSimulationOf,
  insertEgress,
  insertMediaRoom,
  listConnections,
  listEgresses,
  listMediaRooms,
  findWritingEgress,
  markMuted,
  setRights,
  type SimulatedEgress,
  updateEgress,
} from './store.ts'

/** Six seconds of a test pattern with a tone and without B-frames, repeated for as long as a simulated stretch lasts. */
const SAMPLE = path.join(import.meta.dirname, 'sample-recording.mp4')
/** A stretch that was shorter still has a file with a picture. */
const LENGTH_MIN_SEC = 0.1
/** Its file has 85 MB. A stretch that was longer has no more. */
const LENGTH_MAX_SEC = 2 * 60 * 60
/** The reported size of a file that is not there. */
const MISSING_BYTES = 1_000

const EGRESS_PREFIX = 'EG_simulated_'
const RECORDER = 'simulated'
/** Reserved by RFC 2606: it leads nowhere. */
const ADDRESS = 'wss://sandbox.invalid'

export function isSimulatedEgress(egressId: string): boolean {
  return egressId.startsWith(EGRESS_PREFIX)
}

export interface SimulatedDeps extends Pick<Deps, 'db' | 'clock' | 'storage'> {
  notify: Notify
}

/**
 * The media provider of sandbox tenants. Its state is rows, because several processes serve it. It does
 * what it is asked immediately, and notifies the service as the real provider does.
 */
export function createSimulatedMedia(deps: SimulatedDeps): Media {
  const { db } = deps
  return {
    async ensureRoom(spec) {
      return inTransaction(db, async (tx) => {
        const tenantId = await tenantOf(tx, spec.name)
        return insertMediaRoom(tx, { ...spec, tenantId, sid: `RM_simulated_${randomUUID()}` })
      })
    },
    deleteRoom: (name) => deleteRoom(deps, name),
    listRooms: (names) => listMediaRooms(db, names),
    async listConnections(name) {
      const [room] = await listMediaRooms(db, [name])
      return room && listConnections(db, name)
    },
    async removeConnection(mediaRoom, identity) {
      await inTransaction(db, (tx) => disconnect(tx, { mediaRoom, identity }, deps.notify))
    },
    muteMicrophone: (mediaRoom, identity) => markMuted(db, { mediaRoom, identity }),
    updateRights: (mediaRoom, { identity, rights }) =>
      setRights(db, { mediaRoom, identity, rights }),
    recordersInTurn: async () => [RECORDER],
    startEgress: (spec) => startEgress(deps, spec),
    stopEgress: (egress) => endEgress(deps, egress),
    async listEgress(mediaRoom) {
      const found = await listEgresses(db, mediaRoom)
      const egresses = found.map((each) => ({ ...toEgress(each), recorder: RECORDER }))
      return { egresses, silent: new Set() }
    },
    async listRunning() {
      throw new MediaError('simulated recorders are not watched')
    },
    isReachable: async () => true,
    maskArrivals: async () => false,
    listen: async () => false,
    // No media server accepts this token: nobody joins simulated media from outside.
    signToken: async ({ identity }) => `simulated.${identity}`,
    addressOf: async () => ADDRESS,
    check: async () => {},
  }
}

/** Throws `MediaError` for rooms of real tenants, which the switch never leads here. */
async function tenantOf(tx: Tx, name: string): Promise<string> {
  const room = await findIsSandboxRoom(tx, name)
  if (room?.isSandbox === true) return room.tenantId
  throw new MediaError('the room belongs to no sandbox tenant')
}

async function deleteRoom(deps: SimulatedDeps, name: string): Promise<void> {
  const { db, notify } = deps
  for (const { egressId } of await listEgresses(db, name)) await endEgress(deps, { egressId })
  await inTransaction(db, async (tx) => {
    if (await deleteMediaRoom(tx, name)) await notify(tx, roomFinishedNews(name))
  })
}

/** The recorder's first status, by the failure reason that a trigger planned. */
const AT_START: Readonly<Record<string, SimulatedEgress['status']>> = {
  start_timeout: 'starting',
  provider_failed: 'failed',
  provider_aborted: 'aborted',
}

async function startEgress(deps: SimulatedDeps, spec: EgressSpec): Promise<StartedEgress> {
  const { db, clock, notify } = deps
  const { mediaRoom, output } = spec
  const subject = { roomId: mediaRoom, type: 'recording.status_changed' } as const
  const failureReason = (await findSimulationOf(db, subject))?.failureReason ?? null
  const status = AT_START[failureReason ?? ''] ?? 'active'
  const createdAt = clock()
  const egress: SimulatedEgress = {
    egressId: `${EGRESS_PREFIX}${randomUUID()}`,
    mediaRoom,
    status,
    failureReason,
    outputPath: output.kind === 'file' ? output.path : output.key,
    startedAt: status === 'active' ? createdAt : null,
    endedAt: status === 'failed' || status === 'aborted' ? createdAt : null,
    sizeBytes: null,
    durationSec: null,
  }
  await inTransaction(db, async (tx) => {
    await insertEgress(tx, { ...egress, tenantId: await tenantOf(tx, mediaRoom), createdAt })
    await notify(tx, egressNews(egress))
  })
  // A recorder fails after the order. So the answer to the order is `starting`.
  const answer = toEgress(egress.endedAt === null ? egress : { ...egress, status: 'starting' })
  return { ...answer, clockOffsetMs: 0 }
}

/**
 * Writes the file of what was recorded until the command to end, and reports the end. A file that cannot be stored leaves the
 * egress as it is.
 */
async function endEgress(
  deps: SimulatedDeps,
  { egressId, endsAskedAt }: { egressId: string; endsAskedAt?: Date | null },
): Promise<void> {
  const { db, clock, notify } = deps
  // Several processes may end it at the same time, and all of them write the same file.
  await claimEnd(db, egressId, endsAskedAt ?? clock())
  const writing = await findWritingEgress(db, egressId, 'no lock')
  if (writing === undefined) return
  const end = await endOf(deps, writing)
  await inTransaction(db, async (tx) => {
    const egress = await findWritingEgress(tx, egressId, 'lock')
    if (egress === undefined) return
    // The sandbox's clock may have moved the times of the row while the file was written.
    const ended = { ...egress, ...end }
    await updateEgress(tx, ended)
    await notify(tx, egressNews(ended))
  })
}

async function endOf(
  deps: SimulatedDeps,
  egress: SimulatedEgress,
): Promise<Partial<SimulatedEgress>> {
  const { status, failureReason, startedAt, endedAt } = egress
  if (status === 'starting' || startedAt === null || endedAt === null) return { status: 'aborted' }
  if (failureReason === 'upload_failed') return { status: 'failed' }
  const lastedSec = (endedAt.getTime() - startedAt.getTime()) / 1000
  const durationSec = Math.min(LENGTH_MAX_SEC, Math.max(LENGTH_MIN_SEC, lastedSec))
  // Any other planned failure is that of a file that is reported and not there.
  const isStored = failureReason === null
  const sizeBytes = isStored ? await writeFileOf(deps, egress, durationSec) : MISSING_BYTES
  return { status: 'complete', sizeBytes, durationSec }
}

/** Returns the size of the file, in bytes. */
async function writeFileOf(
  { storage }: SimulatedDeps,
  { outputPath }: SimulatedEgress,
  lengthSec: number,
): Promise<number> {
  const folder = await mkdtemp(path.join(tmpdir(), 'interview-room-simulated-'))
  try {
    const file = path.join(folder, 'recording.mp4')
    await repeatSample(SAMPLE, file, lengthSec)
    // A recorder on this machine writes into a folder, any other one into the storage.
    if (path.isAbsolute(outputPath)) await copyFile(file, outputPath)
    else await storage.put(outputPath, createReadStream(file), { mime: 'video/mp4' })
    const { size } = await stat(file)
    return size
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const isWriting = ({ status }: SimulatedEgress) => status === 'starting' || status === 'active'

function toEgress(egress: SimulatedEgress): Egress {
  const { egressId, mediaRoom, status, outputPath, startedAt, endedAt } = egress
  const { sizeBytes, durationSec } = egress
  return {
    egressId,
    mediaRoom,
    status,
    outputPath,
    startedAt,
    endedAt: isWriting(egress) ? null : endedAt,
    updatedAt: null,
    file: sizeBytes === null ? null : { sizeBytes, durationSec: durationSec ?? 0 },
    writtenBytes: null,
    lacks: [],
    hasUploadFailed: hasUploadFailed(egress),
    hasRecorderFailed: false,
  }
}
