import type { Query } from '../db/db.ts'

/** Whether anybody has ever been in the room. */
export async function hasEntries(query: Query, roomId: string): Promise<boolean> {
  const [row] = await query<{ has: boolean }[]>`
    select exists (select from entry_histories where room_id = ${roomId}) as has
  `
  return row?.has === true
}
