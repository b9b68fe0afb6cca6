import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { TenantLimits } from '../../../platform/config/tenant-limits.ts'
import { inTransaction, type Query, type Tx } from '../../../platform/db/db.ts'
import { uuidv7 } from '../../../platform/lib/uuid.ts'
import type { Deps } from '../../../platform/ports/deps.ts'
import { newVideoKey } from '../../../platform/storage/object-key.ts'
import { claimObject } from '../../../platform/storage/unclaimed-object.ts'
import { completeRoom, provisionRoom } from '../../booking/create-room.ts'
import { lockRoom } from '../../booking/lock-room.ts'
import { settingsOf } from '../../booking/new-room.ts'
import { listSessions } from '../../booking/read-bookings.ts'
import { registerHandout } from '../../handouts/register-handout.ts'
import { storeUpload } from '../../handouts/upload.ts'
import { listRecordings } from '../../recording/recordings/read-recordings.ts'
import { checkWords } from '../../recording/transcriptions/check-words.ts'
import { parseOutput } from '../../recording/transcriptions/engines/parse-output.ts'
import { storeTranscript } from '../../recording/transcriptions/store-transcript.ts'
import { cuesOf } from '../../recording/transcriptions/webvtt.ts'
import type { SpokenWord } from '../../recording/transcriptions/words-file.ts'
import { emptyMediaRoom } from '../../room-end/close-room.ts'
import { admitCast, type Cast } from './admit-cast.ts'
import { playEvents } from './play-events.ts'
import { reviewRecording } from './review-recording.ts'
import { CLOSED_SEC, HANDOUT_TITLE, SESSION_NAME } from './sample-events.ts'
import { fileOf, readFacts, type SampleFacts, storeFile } from './sample-files.ts'
import type { StoredFiles } from './sample.ts'

export interface SampleInterview {
  roomId: string
  recordingId: string
}

export type SampleDeps = Pick<Deps, 'db' | 'media' | 'storage' | 'clock' | 'config' | 'log'>

const REFERENCE = 'Sample'
const SLOT_MS = 60 * 60_000

/**
 * The tenant's sample interview, made by the first call: a closed room with a recording, its transcripts, comments and
 * clips. Its rows are those of any room. After its recording was deleted, the next call makes another.
 */
export async function ensureSampleInterview(
  deps: SampleDeps,
  tenant: { tenantId: string; tenantLimits: TenantLimits },
): Promise<SampleInterview> {
  for (let count = 1; ; count += 1) {
    const externalId = `interview-${count}`
    const known = await findRoom(deps.db, { ...tenant, externalId })
    if (known === undefined) return makeSample(deps, { ...tenant, externalId })
    const [recording] = await listRecordings(deps.db, { roomId: known, after: undefined, limit: 1 })
    if (recording?.status === 'available') return { roomId: known, recordingId: recording.id }
  }
}

async function findRoom(
  query: Query,
  { tenantId, externalId }: { tenantId: string; externalId: string },
): Promise<string | undefined> {
  const reference = { tenantId, externalType: REFERENCE, externalId }
  const [session] = await listSessions(query, { ...reference, after: undefined, limit: 1 })
  return session?.roomId
}

async function makeSample(
  deps: SampleDeps,
  order: { tenantId: string; tenantLimits: TenantLimits; externalId: string },
): Promise<SampleInterview> {
  const { tenantId } = order
  const facts = await readFacts()
  const begins = new Date(deps.clock().getTime() - (CLOSED_SEC + 1) * 1000)
  const { roomId, sessionId } = await book(deps, { ...order, begins })
  const upload = await storeUpload(deps, tenantId, {
    fileName: `${HANDOUT_TITLE}.png`,
    body: createReadStream(fileOf('handout.png')),
  })
  const fields = { title: HANDOUT_TITLE }
  const { handout } = await inTransaction(deps.db, (tx) =>
    registerHandout(tx, { tenantId, sessionId }, { fields, upload }),
  )
  const cast = await admitCast(deps, { tenantId, roomId, begins })
  const files = await storeFiles(deps, tenantId, { cast, facts })
  const recordingId = uuidv7(begins.getTime())
  const handoutId = handout.id
  const sample = { tenantId, roomId, recordingId, facts, cast, handoutId, files, begins }
  await inTransaction(deps.db, async (tx) => {
    const locked = await lockRoom(tx, { tenantId, roomId })
    await claimFiles(tx, files)
    await playEvents(tx, locked, sample)
    await reviewRecording(tx, locked, { ...sample, clock: deps.clock })
  })
  await emptyMediaRoom(deps, roomId)
  return { roomId, recordingId }
}

async function book(
  deps: SampleDeps,
  {
    begins,
    externalId,
    ...tenant
  }: { tenantId: string; tenantLimits: TenantLimits; externalId: string; begins: Date },
): Promise<{ roomId: string; sessionId: string }> {
  const endsAt = new Date(begins.getTime() + SLOT_MS)
  const reference = { externalType: REFERENCE, externalId, name: SESSION_NAME }
  const slot = { ...reference, startsAt: begins, endsAt }
  const session = { external_type: '', external_id: '', starts_at: '', ends_at: '' }
  const body = { kind: 'interview', archive_mode: 'manual', session } as const
  const settings = settingsOf(body, deps.config.transcription.languages)
  const provisioned = await provisionRoom(deps, { ...tenant, settings, slot })
  const room = await inTransaction(deps.db, (tx) => completeRoom(tx, provisioned, { isLast: true }))
  if (room.session === null) throw new Error('a booked room without its session')
  return { roomId: room.id, sessionId: room.session.id }
}

async function storeFiles(
  deps: SampleDeps,
  tenantId: string,
  said: { cast: Cast; facts: SampleFacts },
): Promise<StoredFiles> {
  const video = (name: string, kind: string) =>
    storeFile(deps, { name, key: newVideoKey(tenantId, kind), mime: 'video/mp4' })
  const transcript = async (name: string, language: string) => {
    const streams = await readSpoken(deps, { ...said, name, language })
    return storeTranscript(deps, tenantId, { cues: cuesOf(streams), words: streams.flat() })
  }
  return {
    interview: await video('interview.mp4', 'recordings'),
    clips: [await video('clip-1.mp4', 'clips'), await video('clip-2.mp4', 'clips')],
    transcripts: {
      ja: await transcript('ja.vtt', 'ja-JP'),
      en: await transcript('en.vtt', 'en-US'),
    },
  }
}

/** Reads the cues of a file, each as a stream of its own, so that no two become one. */
async function readSpoken(
  { log }: SampleDeps,
  {
    cast,
    facts,
    name,
    language,
  }: { cast: Cast; facts: SampleFacts; name: string; language: string },
): Promise<SpokenWord[][]> {
  const heard = parseOutput(await readFile(fileOf(name), 'utf8'), language)
  const players = [...cast.values()].map(({ holder }) => holder)
  return checkWords(heard, { durationSec: facts.durationSec, log }).map((word) => {
    const player = players.find(({ displayName }) => displayName === word.speaker)
    if (player === undefined) throw new RangeError(`nobody of the sample is ${word.speaker}`)
    return [{ ...word, participantId: player.participantId, role: player.role }]
  })
}

/** The transcripts are claimed with their rows. */
async function claimFiles(tx: Tx, { interview, clips }: StoredFiles): Promise<void> {
  for (const { storageKey } of [interview, ...clips]) await claimObject(tx, storageKey)
}
