import type { FarewellBody } from '@interview-room/contract/farewell.ts'
import * as live from '@interview-room/contract/operations/live-farewell.ts'
import {
  type Departing,
  findDeparting,
  findDepartingVisitor,
} from '../../domain/people/find-departing.ts'
import { listOwnMarkers } from '../../domain/people/list-posted-events.ts'
import { findFarewellRecording } from '../../domain/recording/recordings/read-recordings.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { unauthorized } from '../../platform/service-keys/signed-tokens.ts'
import { readConsentSettings } from '../../platform/tenants/consent-settings.ts'
import type { App } from '../http/app-types.ts'
import type { Call } from '../http/route.ts'
import { serve } from '../http/serve.ts'
import { presentSession } from './issue-entry.ts'

/** The facts for the last page of a person, whom the room need not admit any more. */
export async function farewellLiveRoutes(app: App, deps: Deps): Promise<void> {
  serve(app, live.readFarewell, async (request) => ({
    data: await presentFarewell(deps, await departingOf(deps, request)),
  }))
}

async function departingOf(
  { db }: Deps,
  { credential, body, params }: Call<typeof live.readFarewell>,
): Promise<Departing> {
  if (credential?.kind === 'token') return findDeparting(db, credential.claims)
  const accessToken = body?.access_token
  if (accessToken === undefined) throw unauthorized('there is no credential')
  return findDepartingVisitor(db, { roomId: params.room_id, accessToken })
}

async function presentFarewell(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { room, role, participantIds, hasEntered, isBanned }: Departing,
): Promise<FarewellBody> {
  const isInformed = role !== 'panelist' && !isBanned
  const settings = await readConsentSettings(db, room.tenantId)
  return {
    role,
    has_entered: hasEntered,
    session: presentSession(room.session),
    recording: isInformed ? await findFarewellRecording(db, room.id, clock()) : null,
    markers: await listOwnMarkers(db, room.id, participantIds),
    return_url: role === 'panelist' ? settings.returnUrl : settings.staffReturnUrl,
    consent_texts: settings.texts,
    branding: settings.branding,
  }
}
