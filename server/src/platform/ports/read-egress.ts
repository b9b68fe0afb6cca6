import type { Egress, EgressStatus, TrackLack } from './egress.ts'
import { isReportedName, readReportedTime } from './reported-values.ts'

const STATUSES: Readonly<Record<string, EgressStatus>> = {
  EGRESS_STARTING: 'starting',
  EGRESS_ACTIVE: 'active',
  EGRESS_ENDING: 'ending',
  EGRESS_COMPLETE: 'complete',
  EGRESS_FAILED: 'failed',
  EGRESS_ABORTED: 'aborted',
  EGRESS_LIMIT_REACHED: 'limit_reached',
}
/** JSON leaves out members with default values: a missing status is the first one. */
const FIRST_STATUS = 'EGRESS_STARTING'
/** The error text of LiveKit Egress for a failed upload, whatever the storage. There is no code for it. */
const UPLOAD_FAILED = /\bupload failed\b/i
/** The error text of our recorder after it was killed and restarted, or could not write (docs/adr/0014). */
const RECORDER_FAILED = /\b(?:process killed|disk failure|disk nearly full)\b/i
/** The words of our recorder while the storage does not take what it records (docs/livekit.md#record-with-the-recorder). */
const UNDELIVERED = /\bUndelivered: \d+ s \((.+)\)$/
const NS_PER_MS = 1_000_000
const NS_PER_SEC = 1_000_000_000

type Members = Record<string, unknown>

/** An `EgressInfo` in JSON, from a list or from a notification; undefined for anything else. */
export function readEgress(value: unknown): Egress | undefined {
  const info = membersOf(value)
  const { egressId, roomName, status: reported = FIRST_STATUS } = info
  const status = typeof reported === 'string' ? STATUSES[reported] : undefined
  if (!isReportedName(egressId) || !isReportedName(roomName) || status === undefined)
    return undefined
  return {
    egressId,
    mediaRoom: roomName,
    status,
    outputPath: outputPathOf(info),
    startedAt: startOf(info),
    endedAt: timeOf(info['endedAt']),
    updatedAt: timeOf(info['updatedAt']),
    file: fileOf(info),
    writtenBytes: status === 'active' ? (fileOf(info)?.sizeBytes ?? null) : null,
    lacks: status === 'active' ? lacksOf(info['streamResults']) : [],
    ...refusalOf(info['details']),
    hasUploadFailed: says(info['error'], UPLOAD_FAILED),
    hasRecorderFailed: says(info['details'], RECORDER_FAILED),
  }
}

/** The requested output path: an egress may be of several kinds, and of an older form. */
function outputPathOf(info: Members): string | null {
  const request = membersOf(info['roomComposite'] ?? info['participant'])
  const path =
    membersOf(firstOf(request['fileOutputs']))['filepath'] ?? membersOf(request['file'])['filepath']
  return typeof path === 'string' && path !== '' ? path : null
}

/**
 * When media of the file begins. An egress counts from its request, which is 3 to 9 s earlier for a
 * composite one, so its own time is used only where the file has none.
 */
function startOf(info: Members): Date | null {
  const file = membersOf(firstOf(info['fileResults']) ?? info['file'])
  return timeOf(file['startedAt']) ?? timeOf(info['startedAt'])
}

/** Reads the current form, or the older one. A failed egress may have a file without a size. */
function fileOf(info: Members): Egress['file'] {
  const file = membersOf(firstOf(info['fileResults']) ?? info['file'])
  const sizeBytes = Number(file['size'] ?? 0)
  const durationNs = Number(file['duration'] ?? 0)
  if (!Number.isSafeInteger(sizeBytes) || sizeBytes <= 0 || !(durationNs >= 0)) return null
  return { sizeBytes, durationSec: durationNs / NS_PER_SEC }
}

const TRACK = /^track:(camera|microphone|screen|screen-sound):(.+)$/
const LACK = /^(no_media|encrypted|codec_unsupported)$/

/** Our recorder lists its tracks in the field of streams, which no file has (`media-server/src/egress/info.ts`). */
function lacksOf(results: unknown): TrackLack[] {
  if (!Array.isArray(results)) return []
  return results.flatMap((result): TrackLack[] => {
    const { url, error, lastRetryAt } = membersOf(result)
    const [, track, identity] = TRACK.exec(String(url)) ?? []
    const [, reason] = LACK.exec(String(error)) ?? []
    const since = timeOf(lastRetryAt)
    if (identity === undefined || reason === undefined || since === null) return []
    return [{ track, reason, since, identity } as TrackLack]
  })
}

function refusalOf(details: unknown): Pick<Egress, 'refusal'> {
  const [, refusal] = typeof details === 'string' ? (UNDELIVERED.exec(details) ?? []) : []
  return refusal === undefined ? {} : { refusal }
}

function says(value: unknown, words: RegExp): boolean {
  return typeof value === 'string' && words.test(value)
}

function timeOf(value: unknown): Date | null {
  const ms = Math.floor(Number(value ?? 0) / NS_PER_MS)
  return ms > 0 ? (readReportedTime(ms) ?? null) : null
}

function firstOf(value: unknown): unknown {
  return Array.isArray(value) ? value[0] : undefined
}

function membersOf(value: unknown): Members {
  return typeof value === 'object' && value !== null ? (value as Members) : {}
}
