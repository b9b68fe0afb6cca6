import type { Tx } from '../../platform/db/db.ts'

/** Deletes the provider's notifications about a person in a room that has ended. */
export async function eraseNotifications(
  tx: Tx,
  { roomId, identities }: { roomId: string; identities: readonly string[] },
): Promise<void> {
  await tx`
    delete from provider_notifications n
     where n.media_room = ${roomId}
       and n.received_at >= (select r.created_at from rooms r where r.id = ${roomId})
       and exists (select 1 from unnest(${[...identities]}::text[]) who
                    where position(who in n.body) > 0)
  `
}
