import type { Tx } from '../../../platform/db/db.ts'

/** Erases what these people said in a locked room. Returns the number of texts. */
export async function eraseLiveTexts(
  tx: Tx,
  { roomId, identities }: { roomId: string; identities: readonly string[] },
): Promise<number> {
  const { count } = await tx`
    delete from live_texts where room_id = ${roomId} and media_identity = any(${[...identities]})
  `
  return count
}
