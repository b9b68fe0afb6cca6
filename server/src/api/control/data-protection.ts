import type { LegalHoldRequest } from '@interview-room/contract/data-protection.ts'
import * as contract from '@interview-room/contract/operations/data-protection.ts'
import type { RetentionPatch } from '@interview-room/contract/retention.ts'
import { changeRetention, readRetention } from '../../domain/data-protection/change-retention.ts'
import { dataSubjectOf, hashSubject } from '../../domain/data-protection/data-subject.ts'
import { exportRooms, listRoomsToExport } from '../../domain/data-protection/export-data-subject.ts'
import {
  findHold,
  listHolds,
  type NewHold,
  placeHold,
  releaseHold,
} from '../../domain/data-protection/manage-holds.ts'
import {
  presentErasure,
  presentHold,
  presentPreview,
  presentRetention,
} from '../../domain/data-protection/present.ts'
import {
  findErasure,
  listErasures,
  previewErasure,
  requestErasure,
} from '../../domain/data-protection/request-erasure.ts'
import type { RetentionDays } from '../../domain/data-protection/retention.ts'
import { inTransaction } from '../../platform/db/db.ts'
import { refuseHalfRef } from '../../platform/lib/external-ref.ts'
import { refuseField, ServiceError } from '../../platform/lib/service-error.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import type { App } from '../http/app-types.ts'
import { serveOnce } from '../http/serve-once.ts'
import { serve } from '../http/serve.ts'

/** Data protection, as a tenant manages it. */
export async function dataProtectionRoutes(app: App, deps: Deps): Promise<void> {
  erasureRoutes(app, deps)
  holdRoutes(app, deps)
  retentionRoutes(app, deps)
}

function erasureRoutes(app: App, deps: Deps): void {
  serveOnce({ app, deps }, contract.requestErasure, {
    handle: async ({ body, tenantId, apiKeyId }, tx) => {
      const { recordings = 'delete' } = body
      const subject = dataSubjectOf(tenantId, body)
      const order = { ...subject, recordings, requestedBy: apiKeyId }
      const erasure = await requestErasure(deps, tx, order)
      const location = `/api/v1/data-subjects/erasures/${erasure.id}`
      return { headers: { location }, data: presentErasure(erasure) }
    },
  })

  serve(app, contract.previewErasure, async ({ body, tenantId }) => {
    const { recordings = 'delete' } = body
    const order = { ...dataSubjectOf(tenantId, body), recordings }
    return { data: presentPreview(await previewErasure(deps, order)) }
  })

  serve(app, contract.exportDataSubject, async ({ body, tenantId }) => {
    const subject = dataSubjectOf(tenantId, body)
    const filters = { subject: hashSubject(deps, subject) }
    const scope = { list: 'data-export', tenantId, filters }
    const page = await deps.paging.page(body, scope, {
      rows: (request) => listRoomsToExport(deps, subject, request),
      positionOf: ({ roomId }) => roomId,
      present: (room) => room,
    })
    return { data: { ...page, items: await exportRooms(deps, subject, page.items) } }
  })

  serve(app, contract.listErasures, async ({ query, tenantId }) => {
    const { subject } = query
    const scope = { list: 'erasures', tenantId, filters: { subject } }
    const data = await deps.paging.page(query, scope, {
      rows: (request) => listErasures(deps.db, { tenantId, subject, ...request }),
      positionOf: ({ id }) => id,
      present: presentErasure,
    })
    return { data }
  })

  serve(app, contract.getErasure, async ({ params, tenantId }) => {
    const erasure = await findErasure(deps.db, params.erasure_id)
    if (erasure?.tenantId !== tenantId) throw new ServiceError('NOT_FOUND')
    return { data: presentErasure(erasure) }
  })
}

function holdRoutes(app: App, deps: Deps): void {
  serveOnce({ app, deps }, contract.placeLegalHold, {
    handle: async ({ body, tenantId }, tx) => {
      const hold = await placeHold(deps, tx, newHoldOf(tenantId, body))
      const location = `/api/v1/legal-holds/${hold.id}`
      return { headers: { location }, data: presentHold(hold) }
    },
  })

  serve(app, contract.listLegalHolds, async ({ query, tenantId }) => {
    const scope = { list: 'legal-holds', tenantId, filters: {} }
    const data = await deps.paging.page(query, scope, {
      rows: (request) => listHolds(deps.db, { tenantId, ...request }),
      positionOf: ({ id }) => id,
      present: presentHold,
    })
    return { data }
  })

  serve(app, contract.getLegalHold, async ({ params, tenantId }) => {
    const hold = await findHold(deps.db, { tenantId, id: params.legal_hold_id })
    if (hold === undefined) throw new ServiceError('NOT_FOUND')
    return { data: presentHold(hold) }
  })

  serve(app, contract.releaseLegalHold, async ({ params, tenantId }) => {
    const key = { tenantId, id: params.legal_hold_id }
    const isThere = await inTransaction(deps.db, (tx) => releaseHold(tx, key))
    if (!isThere) throw new ServiceError('NOT_FOUND')
  })
}

function retentionRoutes(app: App, deps: Deps): void {
  serve(app, contract.getRetention, async ({ tenantId }) => ({
    data: presentRetention(deps, await readRetention(deps.db, tenantId)),
  }))

  serve(app, contract.patchRetention, async ({ body, tenantId }) => {
    const changes = changesOf(body)
    const days = await inTransaction(deps.db, (tx) =>
      changeRetention(deps, tx, { tenantId, changes }),
    )
    return { data: presentRetention(deps, days) }
  })
}

function changesOf(patch: RetentionPatch): Partial<RetentionDays> {
  const { recordings_days: recordings, chat_days: chat, handouts_days: handouts } = patch
  return {
    ...(recordings !== undefined && { recordings }),
    ...(chat !== undefined && { chat }),
    ...(handouts !== undefined && { handouts }),
  }
}

/** Throws 400 INVALID_REQUEST for half a reference, or unless either a room or a person is given. */
function newHoldOf(tenantId: string, body: LegalHoldRequest): NewHold {
  refuseHalfRef(body)
  const { room_id: roomId, external_type: externalType, external_id: externalId, reason } = body
  if ((roomId === undefined) === (externalType === undefined)) {
    throw refuseField('INVALID_REQUEST', {
      field: 'room_id',
      code: roomId === undefined ? 'REQUIRED' : 'NOT_ALLOWED',
      message: 'must be sent, or external_type and external_id, and not both',
    })
  }
  return {
    tenantId,
    roomId: roomId ?? null,
    externalType: externalType ?? null,
    externalId: externalId === undefined ? null : String(externalId),
    reason,
  }
}
