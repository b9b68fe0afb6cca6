import type { Query, Tx } from '../../platform/db/db.ts'
import type { PageRequest } from '../../platform/ports/paging.ts'

export interface LegalHold {
  id: string
  tenantId: string
  /** Either a room, or the reference of a person. */
  roomId: string | null
  externalType: string | null
  externalId: string | null
  reason: string
  createdAt: Date
}

export interface HoldKey {
  tenantId: string
  id: string
}

function columns(query: Query) {
  return query`
    id, tenant_id as "tenantId", room_id as "roomId", external_type as "externalType",
    external_id as "externalId", reason, created_at as "createdAt"
  `
}

/** Part of a statement: the legal hold that covers the room `r`, or null. */
export function holdOf(query: Query) {
  return query`
    (select h.id
       from legal_holds h
      where h.tenant_id = r.tenant_id
        and (h.room_id = r.id
             or exists (select 1 from participants held
                         where held.room_id = r.id and held.tenant_id = h.tenant_id
                           and held.external_type = h.external_type
                           and held.external_id = h.external_id)
             or exists (select 1 from connection_tests test
                         where test.room_id = r.id and test.external_type = h.external_type
                           and test.external_id = h.external_id))
      order by h.id
      limit 1)
  `
}

export async function insertHold(tx: Tx, hold: LegalHold): Promise<void> {
  await tx`
    insert into legal_holds (id, tenant_id, room_id, external_type, external_id, reason, created_at)
    values (${hold.id}, ${hold.tenantId}, ${hold.roomId}, ${hold.externalType}, ${hold.externalId},
            ${hold.reason}, ${hold.createdAt})
  `
}

export async function findHold(query: Query, key: HoldKey): Promise<LegalHold | undefined> {
  const [hold] = await query<LegalHold[]>`
    select ${columns(query)} from legal_holds
     where id = ${key.id} and tenant_id = ${key.tenantId}
  `
  return hold
}

/** Oldest first. Reads one more than the limit to see whether there are more. */
export async function listHolds(
  query: Query,
  { tenantId, after, limit }: PageRequest & { tenantId: string },
): Promise<LegalHold[]> {
  return query<LegalHold[]>`
    select ${columns(query)} from legal_holds
     where tenant_id = ${tenantId}
       ${after === undefined ? query`` : query`and id > ${after}::uuid`}
     order by id
     limit ${limit + 1}
  `
}

/** Returns false when there was no such hold. */
export async function deleteHold(tx: Tx, { tenantId, id }: HoldKey): Promise<boolean> {
  const { count } = await tx`
    delete from legal_holds where id = ${id} and tenant_id = ${tenantId}
  `
  return count === 1
}
