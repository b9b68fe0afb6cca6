import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { copyFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { inTransaction, type Tx } from '../db/db.ts'
import type { Deps } from '../ports/deps.ts'
import type { Egress, EgressSpec, StartedEgress } from '../ports/egress.ts'
import { type Media, MediaError } from '../ports/media.ts'
import { egressNews, hasUploadFailed, type Notify, roomFinishedNews } from './provider-news.ts'
import { disconnect } from './simulated-people.ts'
import {
  deleteMediaRoom,
  findIsSandboxRoom,
  findSimulationOf,
  insertEgress,
  insertMediaRoom,
  listConnections,
  listEgresses,
  listMediaRooms,
  lockWritingEgress,
  markMuted,
  setRights,
  type SimulatedEgress,
  updateEgress,
} from './store.ts'

/** The content of every simulated recording: six seconds of a test pattern with a tone. */
const SAMPLE = path.join(import.meta.dirname, 'sample-recording.mp4')
const SAMPLE_SEC = 6

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
    async stopEgress({ egressId }) {
      await inTransaction(db, (tx) => endEgress(deps, tx, egressId))
    },
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
  await inTransaction(db, async (tx) => {
    for (const { egressId } of await listEgresses(tx, name)) await endEgress(deps, tx, egressId)
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
  const isWritten = status === 'active' && failureReason === null
  // Recorded at the start, so that stopping needs no access to the storage.
  if (isWritten) await writeSample(deps, output)
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

async function endEgress(deps: SimulatedDeps, tx: Tx, egressId: string): Promise<void> {
  const egress = await lockWritingEgress(tx, egressId)
  if (egress === undefined) return
  const ended = { ...egress, ...(await endOf(egress)), endedAt: deps.clock() }
  await updateEgress(tx, ended)
  await deps.notify(tx, egressNews(ended))
}

async function endOf({
  status,
  failureReason,
}: SimulatedEgress): Promise<Partial<SimulatedEgress>> {
  if (status === 'starting') return { status: 'aborted' }
  if (failureReason === 'upload_failed') return { status: 'failed' }
  const { size } = await stat(SAMPLE)
  return { status: 'complete', sizeBytes: size, durationSec: SAMPLE_SEC }
}

async function writeSample(
  { storage }: SimulatedDeps,
  output: EgressSpec['output'],
): Promise<void> {
  if (output.kind === 'file') await copyFile(SAMPLE, output.path)
  else await storage.put(output.key, createReadStream(SAMPLE), { mime: 'video/mp4' })
}

function toEgress(egress: SimulatedEgress): Egress {
  const { egressId, mediaRoom, status, outputPath, startedAt, endedAt } = egress
  const { sizeBytes, durationSec } = egress
  return {
    egressId,
    mediaRoom,
    status,
    outputPath,
    startedAt,
    endedAt,
    updatedAt: null,
    file: sizeBytes === null ? null : { sizeBytes, durationSec: durationSec ?? 0 },
    writtenBytes: null,
    lacks: [],
    hasUploadFailed: hasUploadFailed(egress),
    hasRecorderFailed: false,
  }
}
