import type { ServerResponse } from 'node:http'
import { Uuid } from '@interview-room/contract/envelope.ts'
import { ROOM_TICKET_LIFE_SEC } from '@interview-room/contract/limits.ts'
import { Type } from 'typebox'
import type { Deps } from '../deps.ts'
import type { App } from '../http/app-types.ts'
import { openDoor } from '../live/open-door.ts'
import { requireHolder } from '../live/require-holder.ts'
import { createTickets, type TicketHolder, type Tickets } from '../live/ticket.ts'
import { checkStillAdmitted } from '../participants/admit.ts'
import type { GateRoom } from '../participants/participant.ts'
import { frameOf } from './frame.ts'
import { createLiveHub, type LiveHub, type OpenStream } from './hub.ts'
import type { Told } from './live-event.ts'
import { createPlaces, type Places } from './place.ts'
import { takeSnapshot } from './snapshot.ts'

const HEARTBEAT_MS = 15_000
const RENEW_MS = (ROOM_TICKET_LIFE_SEC / 3) * 1000
/** What may still wait for a reader when more comes; who is further behind comes back and resumes. */
const BUFFER_MAX_BYTES = 1024 * 1024

/** Streams of one entry: a page has one, and comes back before an old one is known to be dead. */
const STREAMS_MAX = 5

interface StreamDeps {
  deps: Deps
  /** The open ones of each entry, the oldest first. */
  open: Map<string, Set<ServerResponse>>
  hub: LiveHub
  tickets: Tickets
  places: Places
}

/** `GET /rooms/{room_id}/live/stream`: server-sent events, resumable by `Last-Event-ID`. */
export async function liveStreamRoutes(app: App, deps: Deps): Promise<void> {
  const places = createPlaces(deps.secretBox)
  const hub = createLiveHub(deps, places)
  // An endless answer would keep the server from closing.
  app.addHook('preClose', async () => hub.stop())
  const parts = {
    deps,
    hub,
    tickets: createTickets(deps),
    places,
    open: new Map<string, Set<ServerResponse>>(),
  }

  app.get(
    '/rooms/:room_id/live/stream',
    {
      schema: {
        tags: ['Participant plane'],
        params: Type.Object({ room_id: Uuid }),
        response: { 200: { content: { 'text/event-stream': { schema: Type.String() } } } },
      },
      config: { isLong: true },
    },
    async (request, reply) => {
      const { headers } = request
      const { room, ...holder } = await requireHolder(deps, request)
      const resumed = parts.places.open(room.id, String(headers['last-event-id'] ?? ''))
      const start =
        resumed === undefined ? await takeSnapshot(deps, room, holder) : { position: resumed }
      reply.hijack()
      serve(reply.raw, { ...parts, holder, room, start })
    },
  )
}

interface Serving extends StreamDeps {
  holder: TicketHolder
  room: GateRoom
  start: { position: bigint; snapshot?: Told<'snapshot'>['data'] }
}

function serve(response: ServerResponse, serving: Serving): void {
  const { hub, places, room, holder, start } = serving
  response.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    // The connection ends with the stream: kept alive, it would hold up the end of the service.
    connection: 'close',
  })
  const write = writerOf(response)
  response.write(': open\n\n')
  if (start.snapshot !== undefined) {
    const place = places.seal(room.id, start.position)
    write(frameOf({ name: 'snapshot', data: start.snapshot }, place))
  }

  const stream: OpenStream = {
    roomId: room.id,
    role: holder.role,
    admissionId: holder.admissionId,
    participantId: holder.participantId,
    position: start.position,
    write,
    end: () => response.end(),
  }
  serving.deps.metrics.liveStreams.inc({ kind: 'room' })
  const forget = keepFew(serving.open, holder.admissionId, response)
  const leave = hub.join(stream)
  const heartbeat = setInterval(() => response.write(': still here\n\n'), HEARTBEAT_MS)
  const renewal = setInterval(() => {
    renewTicket(serving, write).catch(() => response.end())
  }, RENEW_MS)
  response.once('close', () => {
    leave()
    forget()
    serving.deps.metrics.liveStreams.dec({ kind: 'room' })
    clearInterval(heartbeat)
    clearInterval(renewal)
  })
}

/** Ends the oldest stream of an entry that has too many; answers what forgets this one. */
function keepFew(
  open: StreamDeps['open'],
  admissionId: string,
  response: ServerResponse,
): () => void {
  const own = open.get(admissionId) ?? new Set()
  open.set(admissionId, own.add(response))
  const [oldest] = own
  if (own.size > STREAMS_MAX && oldest !== undefined) {
    own.delete(oldest)
    oldest.end()
  }
  return () => {
    own.delete(response)
    // One that was ended for a newer one may close when the others have gone and come again.
    if (own.size === 0 && open.get(admissionId) === own) open.delete(admissionId)
  }
}

/**
 * Writes frames, and cuts off a reader who left too much of the deliveries before. What is written in
 * one go is one delivery, however large: the line gets it afterwards, so none of it is waiting yet.
 */
function writerOf(response: ServerResponse): (frame: Buffer) => void {
  let isDelivering = false
  return (frame) => {
    if (!isDelivering && response.writableLength > BUFFER_MAX_BYTES) response.destroy()
    if (response.destroyed) return
    if (!isDelivering) setImmediate(() => (isDelivering = false))
    isDelivering = true
    response.write(frame)
  }
}

/** Throws when the reader may not be here any more, or nothing can be renewed: it comes back and is told. */
async function renewTicket(
  { deps, tickets, holder }: Serving,
  write: (frame: Buffer) => void,
): Promise<void> {
  const room = await checkStillAdmitted(deps, holder)
  write(frameOf({ name: 'ticket', data: await openDoor(deps, tickets, { room, holder }) }))
}
