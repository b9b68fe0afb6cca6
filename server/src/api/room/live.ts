import type { EntryRequest } from '@interview-room/contract/live-entry.ts'
import * as live from '@interview-room/contract/operations/live.ts'
import type { FastifyRequest } from 'fastify'
import { ensureMediaRoom } from '../../domain/booking/ensure-media-room.ts'
import {
  type GrantedAdmission,
  admitByAccessToken,
  admitParticipant,
  holderOf,
} from '../../domain/people/admit.ts'
import { confirmConnection } from '../../domain/people/confirm-connection.ts'
import { deviceOf } from '../../domain/people/device.ts'
import { endReplaced } from '../../domain/people/end-replaced.ts'
import {
  type AdmissionPreview,
  previewAdmission,
  previewByAccessToken,
} from '../../domain/people/preview-admission.ts'
import { reportConnectionQuality } from '../../domain/people/report-connection-quality.ts'
import { createTickets } from '../../domain/people/ticket.ts'
import { readOnOneConnection } from '../../platform/db/db.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { unauthorized } from '../../platform/service-keys/signed-tokens.ts'
import type { App } from '../http/app-types.ts'
import { clientAddressOf } from '../http/client-address.ts'
import type { Call } from '../http/route.ts'
import { serve } from '../http/serve.ts'
import {
  type EntryTerms,
  issueEntry,
  presentEntry,
  presentPreview,
  readEntryTerms,
  renewEntry,
} from './issue-entry.ts'

/** The participant plane: what a browser in (or before) a room calls. */
export async function liveRoutes(app: App, deps: Deps): Promise<void> {
  const tickets = createTickets(deps)

  serve(app, live.checkAdmission, async (request) => {
    const preview = await previewOf(deps, request)
    const terms = await readOnOneConnection(deps.db, (query) => readEntryTerms(query, preview.room))
    return { data: presentPreview(preview, terms, deps.clock()) }
  })

  serve(app, live.enterRoom, async (request) => {
    const { params, body } = request
    const admitted = await admit(deps, request, params.room_id, body ?? {})
    const { room, replaced, rights } = admitted
    await endReplaced(deps, { roomId: room.id, identities: replaced })
    // A page that finds no media room renews its ticket with `is_connected: false`.
    if (!room.isInUse) await ensureMediaRoom(deps, room)
    const ticket = await issueEntry(deps.media, tickets, { ...holderOf(admitted), rights })
    return { data: presentEntry(admitted, ticket) }
  })

  serve(app, live.renewTicket, async ({ holder: { room, ...holder }, body }) => {
    if (!(body?.is_connected ?? room.isInUse)) await ensureMediaRoom(deps, room)
    const { consentTerms } = room
    return { data: await renewEntry(deps, tickets, { ...holder, consentTerms }) }
  })

  serve(app, live.reportConnected, async ({ holder, body }) => {
    const isConfirmed = await confirmConnection(deps, { ...holder, mediaSid: body.media_sid })
    // Not visible at the provider (yet). The notification or the reconciler will report it.
    return isConfirmed ? { status: 204 } : { status: 202, data: {} }
  })

  serve(app, live.reportConnectionQuality, async ({ holder, body }) =>
    reportConnectionQuality(deps, holder, body),
  )
}

async function admit(
  deps: Deps,
  request: Pick<FastifyRequest, 'headers' | 'ip' | 'socket' | 'credential'>,
  roomId: string,
  body: EntryRequest,
): Promise<GrantedAdmission<EntryTerms>> {
  const { headers, credential } = request
  const device = deviceOf(headers['user-agent'], body.device)
  const origin = { device, ipAddress: clientAddressOf(request) }
  const entry = { origin, alsoRead: readEntryTerms }
  if (credential?.kind === 'token') return admitParticipant(deps, credential.claims, entry)
  if (body.access_token === undefined) throw unauthorized('there is no credential')
  const visitor = { roomId, accessToken: body.access_token, name: body.name }
  return admitByAccessToken(deps, visitor, entry)
}

async function previewOf(
  deps: Deps,
  { credential, body, params }: Call<typeof live.checkAdmission>,
): Promise<AdmissionPreview> {
  if (credential?.kind === 'token') return previewAdmission(deps, credential.claims)
  const accessToken = body?.access_token
  if (accessToken === undefined) throw unauthorized('there is no credential')
  return previewByAccessToken(deps, { roomId: params.room_id, accessToken })
}
