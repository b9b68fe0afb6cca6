import type { Role } from '@interview-room/contract/vocabulary.ts'
import type { Logger } from 'pino'
import type { Deps } from '../../platform/ports/deps.ts'
import { CAPTION_CHANNEL, type PassingCaption } from '../recording/live-text/live-text.ts'
import {
  isLast,
  LIVE_CHANNEL,
  type LiveEvent,
  mayRead,
  type Reader,
  type PublishedEvent,
} from '../room-log/live-event.ts'
import { findPosition, listLiveEvents } from '../room-log/read-logs.ts'
import type { StreamCursors } from '../room-log/stream-cursor.ts'
import { type Reading, readFor, presentLiveEvent } from './present-live-event.ts'

/** A stream that is open on this replica. */
export interface OpenStream extends Reader {
  roomId: string
  /** `seq` of the last event that was examined for this stream. */
  position: bigint
  write(frame: Buffer): void
  /** Ends the stream. Called once, after the last event or when the service stops. */
  end(): void
}

export interface LiveHub {
  /** Sends the events after its position, then every new one. Returns the function that leaves. */
  join(stream: OpenStream): () => void
  /** Ends every stream. A stream that joins later ends immediately. */
  stop(): void
}

const BATCH = 500
/** Hints may be lost, so rooms with readers are also polled. */
const POLL_MS = 2_000

interface LiveRoom {
  streams: Set<OpenStream>
  isPumping: boolean
  isHinted: boolean
  /** Set after the database was away: the log may be another one. */
  isToCompare: boolean
}

type HubDeps = Pick<Deps, 'db' | 'storage' | 'config' | 'clock' | 'log'>
type PumpDeps = HubDeps & { cursors: StreamCursors }

/**
 * Sends the rows of the live logs to the streams of this replica. Hints come by NOTIFY, the rows are the truth. Every
 * stream has its own cursor, so no event is missed or repeated.
 */
export function createLiveHub(deps: HubDeps, cursors: StreamCursors): LiveHub {
  const rooms = new Map<string, LiveRoom>()

  function hint(roomId: string): void {
    const room = rooms.get(roomId)
    if (room === undefined) return
    room.isHinted = true
    if (!room.isPumping) void pump({ ...deps, cursors }, roomId, room)
  }

  function hintAll(): void {
    for (const roomId of rooms.keys()) hint(roomId)
  }

  function compareAll(): void {
    for (const room of rooms.values()) room.isToCompare = true
    hintAll()
  }

  // Listen from the first reader on, because not every replica has one.
  let unlisten: (() => void)[] = []
  const poll = setInterval(hintAll, POLL_MS).unref()
  let isStopped = false

  function leave(stream: OpenStream): void {
    const room = rooms.get(stream.roomId)
    room?.streams.delete(stream)
    if (room?.streams.size === 0) rooms.delete(stream.roomId)
  }

  return {
    join(stream) {
      if (isStopped) {
        stream.end()
        return () => {}
      }
      const room = rooms.get(stream.roomId) ?? newRoom()
      rooms.set(stream.roomId, room)
      room.streams.add(stream)
      if (unlisten.length === 0) {
        unlisten = [
          deps.db.listen(LIVE_CHANNEL, { onNotify: hint, onListening: compareAll }),
          deps.db.listen(CAPTION_CHANNEL, { onNotify: (text) => showCaption(rooms, text) }),
        ]
      }
      hint(stream.roomId)
      return () => leave(stream)
    },
    stop() {
      isStopped = true
      clearInterval(poll)
      for (const { streams } of rooms.values()) {
        for (const stream of streams) stream.end()
      }
      rooms.clear()
      for (const end of unlisten) end()
    },
  }
}

/** Sends a text that is not final, and so in no log. */
function showCaption(rooms: ReadonlyMap<string, LiveRoom>, notified: string): void {
  const { roomId, roles, caption } = JSON.parse(notified) as PassingCaption
  const streams = [...(rooms.get(roomId)?.streams ?? [])]
  const readers = streams.filter(({ role }) => roles.includes(role))
  if (readers.length === 0) return
  const frame = frameOf({ name: 'caption', data: caption })
  for (const reader of readers) reader.write(frame)
}

function newRoom(): LiveRoom {
  return { streams: new Set(), isPumping: false, isHinted: false, isToCompare: false }
}

/** Reads and sends until no event is left, including events hinted meanwhile. */
async function pump(deps: PumpDeps, roomId: string, room: LiveRoom): Promise<void> {
  room.isPumping = true
  try {
    while (room.isHinted) {
      room.isHinted = false
      if (room.isToCompare) await endBeyond(deps, roomId, room)
      while (await deliverSome(deps, roomId, room.streams));
    }
  } catch (error) {
    warn(deps.log, roomId, error)
  } finally {
    room.isPumping = false
  }
}

/**
 * Ends streams whose position is beyond the end of the log. A standby that took over may lack the last events, and these
 * readers would get nothing until the log is as long again. They reconnect and start over.
 */
async function endBeyond({ db }: PumpDeps, roomId: string, room: LiveRoom): Promise<void> {
  const last = await findPosition(db, roomId)
  room.isToCompare = false
  for (const stream of room.streams) if (stream.position > last) stream.end()
}

function warn(log: Logger, roomId: string, error: unknown): void {
  // Nothing is lost: the next hint or poll continues from each stream's position.
  log.warn({ err: error, room: roomId }, 'delivery of live events delayed')
}

/** Returns true if there may be more. */
async function deliverSome(
  deps: PumpDeps,
  roomId: string,
  streams: ReadonlySet<OpenStream>,
): Promise<boolean> {
  // A reader who joins during the query may be further back than its start. The next turn serves it.
  const present = [...streams]
  if (present.length === 0) return false
  const behind = present.map(({ position }) => position)
  const after = behind.reduce((least, each) => (each < least ? each : least))
  const events = await listLiveEvents(deps.db, { roomId, after, limit: BATCH })
  if (events.length === 0) return false

  const frameFor = framesOf(deps.cursors, roomId, await readFor(deps, roomId, events))
  for (const stream of present) {
    if (!streams.has(stream)) continue
    for (const event of events) advance(stream, event, frameFor)
  }
  return events.length === BATCH
}

type FrameFor = (event: LiveEvent, role: Role) => Buffer | undefined

/** All readers of a role receive the same frame, so each event is serialized once per role. */
function framesOf(cursors: StreamCursors, roomId: string, reading: Reading): FrameFor {
  const frames = new Map<string, Buffer | undefined>()
  return (event, role) => {
    const key = `${event.seq} ${role}`
    if (!frames.has(key)) {
      const published = presentLiveEvent(event, reading, role)
      frames.set(key, published && frameOf(published, cursors.seal(roomId, event.seq)))
    }
    return frames.get(key)
  }
}

function advance(stream: OpenStream, event: LiveEvent, frameFor: FrameFor): void {
  if (event.seq <= stream.position) return
  stream.position = event.seq
  if (!mayRead(event, stream)) return
  const frame = frameFor(event, stream.role)
  if (frame === undefined) return
  stream.write(frame)
  if (isLast(event)) stream.end()
}

/** An event in the SSE format; `cursor` is where to resume after it. */
export function frameOf({ name, data }: PublishedEvent, cursor?: string): Buffer {
  const id = cursor === undefined ? '' : `id: ${cursor}\n`
  return Buffer.from(`event: ${name}\n${id}data: ${JSON.stringify(data)}\n\n`)
}
