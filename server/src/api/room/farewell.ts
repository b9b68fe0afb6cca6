import type { FarewellBody } from '@interview-room/contract/farewell.ts'
import { SHARE_DEFAULT_SEC } from '@interview-room/contract/limits.ts'
import * as live from '@interview-room/contract/operations/live-farewell.ts'
import type { ViewerAbility } from '@interview-room/contract/reviews.ts'
import {
  type Departing,
  findDeparting,
  findDepartingVisitor,
} from '../../domain/people/find-departing.ts'
import { listOwnMarkers } from '../../domain/people/list-posted-events.ts'
import { findFarewellRecording } from '../../domain/recording/recordings/read-recordings.ts'
import { createReviewLinks, type ReviewLinks } from '../../domain/recording/reviews/review-links.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { unauthorized } from '../../platform/service-keys/signed-tokens.ts'
import { readConsentSettings } from '../../platform/tenants/consent-settings.ts'
import type { App } from '../http/app-types.ts'
import type { Call } from '../http/route.ts'
import { serve } from '../http/serve.ts'
import { presentSession } from './issue-entry.ts'

/** The facts for the last page of a person, whom the room need not admit any more. */
export async function farewellLiveRoutes(app: App, deps: Deps): Promise<void> {
  const links = createReviewLinks(deps)
  serve(app, live.readFarewell, async (request) => ({
    data: await presentFarewell({ ...deps, links }, await departingOf(deps, request)),
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

/** The person as a viewer of the room's recordings, if the tenant allows staff anything. */
function viewerOf(
  { room, displayName, participantIds: [id] }: Departing,
  may: readonly ViewerAbility[],
): Parameters<ReviewLinks['issue']>[0] | undefined {
  if (may.length === 0 || id === undefined || displayName === null) return undefined
  const scope = { roomId: room.id }
  const reference = `participant ${id}`
  return {
    tenantId: room.tenantId,
    reference,
    displayName,
    scope,
    may,
    watermark: null,
    shareId: null,
  }
}

async function presentFarewell(
  { db, clock, links }: Pick<Deps, 'db' | 'clock'> & { links: ReviewLinks },
  departing: Departing,
): Promise<FarewellBody> {
  const { room, role, participantIds, hasEntered, isBanned } = departing
  const isInformed = role !== 'panelist' && !isBanned
  const settings = await readConsentSettings(db, room.tenantId)
  const recording = isInformed ? await findFarewellRecording(db, room.id, clock()) : null
  const viewer = recording === null ? undefined : viewerOf(departing, settings.staffReview)
  return {
    role,
    has_entered: hasEntered,
    session: presentSession(room.session),
    recording,
    markers: await listOwnMarkers(db, room.id, participantIds),
    review_url: viewer === undefined ? null : (await links.issue(viewer, SHARE_DEFAULT_SEC)).url,
    return_url: role === 'panelist' ? settings.returnUrl : settings.staffReturnUrl,
    consent_texts: settings.texts,
    branding: settings.branding,
  }
}
