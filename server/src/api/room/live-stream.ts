import { ROOM_TICKET_LIFE_SEC } from '@interview-room/contract/limits.ts'
import { listChanges, streamRoom } from '@interview-room/contract/operations/live.ts'
import { changesSince } from '../../domain/live-stream/changes.ts'
import {
  frameOf,
  createLiveHub,
  type LiveHub,
  type OpenStream,
} from '../../domain/live-stream/hub.ts'
import { takeSnapshot } from '../../domain/live-stream/snapshot.ts'
import { checkStillAdmitted } from '../../domain/people/admit.ts'
import type { AdmissionRoom } from '../../domain/people/participant.ts'
import { createTickets, type TicketHolder, type Tickets } from '../../domain/people/ticket.ts'
import type { PublishedEvent } from '../../domain/room-log/live-event.ts'
import { findPosition } from '../../domain/room-log/read-logs.ts'
import { createStreamCursors, type StreamCursors } from '../../domain/room-log/stream-cursor.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import type { App } from '../http/app-types.ts'
import type { EventStream } from '../http/event-stream.ts'
import { serve, serveStream } from '../http/serve.ts'
import { renewEntry } from './issue-entry.ts'

const HEARTBEAT_MS = 15_000
const RENEW_MS = (ROOM_TICKET_LIFE_SEC / 3) * 1000
/** Bytes that may wait for a reader when more comes. A reader with more than this is disconnected; it reconnects and resumes. */
const BUFFER_MAX_BYTES = 1024 * 1024

/** Streams of one entry: a page has one, and comes back before an old one is known to be dead. */
const STREAMS_MAX = 5

interface StreamDeps {
  deps: Deps
  /** The open ones of each entry, the oldest first. */
  open: Map<string, Set<EventStream>>
  hub: LiveHub
  tickets: Tickets
  cursors: StreamCursors
}

/**
 * `GET /rooms/{room_id}/live/stream`: server-sent events, resumable by `Last-Event-ID`. `GET /rooms/{room_id}/live/changes`: the
 * same events as plain answers.
 */
export async function liveStreamRoutes(app: App, deps: Deps): Promise<void> {
  const cursors = createStreamCursors(deps.secretBox)
  const hub = createLiveHub(deps, cursors)
  // An endless answer would keep the server from closing.
  app.addHook('preClose', async () => hub.stop())
  const parts = {
    deps,
    hub,
    tickets: createTickets(deps),
    cursors,
    open: new Map<string, Set<EventStream>>(),
  }

  serveStream(app, streamRoom, async ({ headers, holder: { room, ...holder } }) => {
    const resumed = cursors.open(room.id, String(headers['last-event-id'] ?? ''))
    const start = (await resumeAt(deps, room.id, resumed)) ?? (await takeSnapshot(deps, holder))
    return (stream) => follow(stream, { ...parts, holder, room, start })
  })

  serve(app, listChanges, async ({ query, holder: { room, ...holder } }) => {
    const start = await resumeAt(deps, room.id, cursors.open(room.id, query.after ?? ''))
    const { events, position } =
      start === undefined
        ? await beginning(deps, holder)
        : await changesSince(deps, holder, start.position)
    const now = deps.clock().toISOString()
    return { data: { events, cursor: cursors.seal(room.id, position), now } }
  })
}

async function beginning(deps: Deps, holder: TicketHolder) {
  const { snapshot, position } = await takeSnapshot(deps, holder)
  return { events: [{ name: 'snapshot' as const, data: snapshot }], position }
}

/**
 * Undefined where there is nothing to resume. Beyond the log there is not: it ends earlier in a database that was
 * restored, and the reader would hear nothing until it is as long again.
 */
async function resumeAt(
  { db }: Pick<Deps, 'db'>,
  roomId: string,
  position: bigint | undefined,
): Promise<{ position: bigint } | undefined> {
  if (position === undefined || position > (await findPosition(db, roomId))) return undefined
  return { position }
}

interface StreamRequest extends StreamDeps {
  holder: TicketHolder
  room: AdmissionRoom
  start: { position: bigint; snapshot?: PublishedEvent<'snapshot'>['data'] }
}

function follow(stream: EventStream, serving: StreamRequest): void {
  const { hub, cursors, room, holder, start } = serving
  const write = writerOf(stream)
  if (start.snapshot !== undefined) {
    const cursor = cursors.seal(room.id, start.position)
    write(frameOf({ name: 'snapshot', data: start.snapshot }, cursor))
  }

  const open: OpenStream = {
    roomId: room.id,
    role: holder.role,
    admissionId: holder.admissionId,
    participantId: holder.participantId,
    position: start.position,
    write,
    end: () => stream.end(),
  }
  serving.deps.metrics.liveStreams.inc({ kind: 'room' })
  const forget = keepFew(serving.open, holder.admissionId, stream)
  const leave = hub.join(open)
  // Pages compare their clocks by it.
  const tellTime = () => stream.write(`: now ${serving.deps.clock().toISOString()}\n\n`)
  tellTime()
  const heartbeat = setInterval(tellTime, HEARTBEAT_MS)
  const renewal = setInterval(() => {
    renewTicket(serving, write).catch(() => stream.end())
  }, RENEW_MS)
  stream.onClose(() => {
    leave()
    forget()
    serving.deps.metrics.liveStreams.dec({ kind: 'room' })
    clearInterval(heartbeat)
    clearInterval(renewal)
  })
}

/** Ends the oldest stream of an entry that has too many; returns a function that forgets this one. */
function keepFew(open: StreamDeps['open'], admissionId: string, stream: EventStream): () => void {
  const own = open.get(admissionId) ?? new Set()
  open.set(admissionId, own.add(stream))
  const [oldest] = own
  if (own.size > STREAMS_MAX && oldest !== undefined) {
    own.delete(oldest)
    oldest.end()
  }
  return () => {
    own.delete(stream)
    // One that was ended for a newer one may close when the others have gone and come again.
    if (own.size === 0 && open.get(admissionId) === own) open.delete(admissionId)
  }
}

/**
 * Writes frames, and disconnects a reader who left too much of the deliveries before. What is written in
 * one go is one delivery, however large: the socket gets it afterwards, so none of it is waiting yet.
 */
function writerOf(stream: EventStream): (frame: Buffer) => void {
  let isDelivering = false
  return (frame) => {
    if (!isDelivering && stream.waitingBytes() > BUFFER_MAX_BYTES) stream.cutOff()
    if (stream.isOver()) return
    if (!isDelivering) setImmediate(() => (isDelivering = false))
    isDelivering = true
    stream.write(frame)
  }
}

/** Throws when the reader may no longer be here, or nothing can be renewed: it reconnects and gets the refusal. */
async function renewTicket(
  { deps, tickets, holder }: StreamRequest,
  write: (frame: Buffer) => void,
): Promise<void> {
  const { consentTerms } = await checkStillAdmitted(deps, holder)
  const data = await renewEntry(deps, tickets, { ...holder, consentTerms })
  write(frameOf({ name: 'ticket', data }))
}
