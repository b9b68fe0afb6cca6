import { LineReport } from '@interview-room/contract/board.ts'
import { ErrorBody, nullable, success, Uuid } from '@interview-room/contract/envelope.ts'
import {
  ConnectedRequest,
  EntryBody,
  EntryRequest,
  TicketBody,
} from '@interview-room/contract/live-entry.ts'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Deps } from '../deps.ts'
import { confirmConnection } from '../entries/confirm-connection.ts'
import type { App } from '../http/app-types.ts'
import { succeed } from '../http/present.ts'
import { refuseField } from '../lib/service-error.ts'
import { type Admitted, admitByAccessToken, admitParticipant } from '../participants/admit.ts'
import { disconnect } from '../participants/ban-participant.ts'
import { deviceOf } from '../participants/device.ts'
import { displayNameOf } from '../participants/display-name.ts'
import { reportLine } from '../participants/report-line.ts'
import { unauthorized } from '../service-keys/signed-tokens.ts'
import { findAsking, holderOf, openDoor, presentEntry } from './open-door.ts'
import { requireHolder } from './require-holder.ts'
import { createTickets } from './ticket.ts'

const RoomParams = Type.Object({ room_id: Uuid })
const TAGS = ['Participant plane']

/** The participant plane: what a browser in (or before) a room calls. */
export async function liveRoutes(app: App, deps: Deps): Promise<void> {
  const tickets = createTickets(deps)

  app.post(
    '/rooms/:room_id/live/entry',
    {
      schema: {
        tags: TAGS,
        params: RoomParams,
        body: nullable(EntryRequest),
        response: { 201: success(EntryBody), default: ErrorBody },
      },
      config: { credential: 'token or body' },
    },
    async (request, reply) => {
      const { params, body } = request
      const knock = { roomId: params.room_id, body: body ?? {} }
      const admitted = await admit(deps, { request, ...knock })
      const holder = holderOf(admitted)
      await disconnect(deps, { roomId: holder.roomId, identities: admitted.left })
      const asking = await findAsking(deps, holder)
      const door = await openDoor(deps, tickets, { room: admitted.room, holder })
      void reply.code(201)
      return succeed(presentEntry(admitted, door, asking))
    },
  )

  app.post(
    '/rooms/:room_id/live/ticket',
    {
      schema: {
        tags: TAGS,
        params: RoomParams,
        response: { 201: success(TicketBody), default: ErrorBody },
      },
    },
    async (request, reply) => {
      const { room, ...holder } = await requireHolder(deps, request)
      const door = await openDoor(deps, tickets, { room, holder })
      void reply.code(201)
      return succeed(door)
    },
  )

  reportRoutes(app, deps)
}

/** What the page says of its connection. */
function reportRoutes(app: App, deps: Deps): void {
  app.post(
    '/rooms/:room_id/live/connected',
    {
      schema: {
        tags: TAGS,
        params: RoomParams,
        body: ConnectedRequest,
        response: { 202: success(Type.Object({})), 204: Type.Null(), default: ErrorBody },
      },
    },
    async (request, reply) => {
      const holder = await requireHolder(deps, request)
      const mediaSid = request.body.media_sid
      const isConfirmed = await confirmConnection(deps, { ...holder, mediaSid })
      if (isConfirmed) return reply.code(204).send(null)
      // Not seen at the provider (yet): the notification or the reconciler will tell.
      void reply.code(202)
      return succeed({})
    },
  )

  app.post(
    '/rooms/:room_id/live/line',
    {
      schema: {
        tags: TAGS,
        params: RoomParams,
        body: LineReport,
        response: { 204: Type.Null(), default: ErrorBody },
      },
    },
    async (request, reply) => {
      const holder = await requireHolder(deps, request)
      await reportLine(deps, holder, request.body.quality)
      return reply.code(204).send(null)
    },
  )
}

interface Knock {
  request: FastifyRequest
  roomId: string
  body: EntryRequest
}

async function admit(deps: Deps, { request, roomId, body }: Knock): Promise<Admitted> {
  const { headers, ip, credential } = request
  const origin = { device: deviceOf(headers['user-agent'], body.device), ipAddress: ip }
  if (credential?.kind === 'token') return admitParticipant(deps, credential.claims, origin)
  if (body.access_token === undefined) throw unauthorized('there is no credential')
  const knock = { roomId, accessToken: body.access_token, displayName: nameFrom(body) }
  return admitByAccessToken(deps, knock, origin)
}

function nameFrom({ name }: EntryRequest): string {
  const displayName = displayNameOf(name)
  if (displayName !== undefined) return displayName
  throw refuseField('INVALID_REQUEST', {
    field: 'name',
    code: name === undefined ? 'REQUIRED' : 'INVALID_FORMAT',
    message: 'must be a name of 1 to 255 characters without control characters',
  })
}
