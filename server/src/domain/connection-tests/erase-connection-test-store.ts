import type { Tx } from '../../platform/db/db.ts'

/** Removes a test with its result; a repeat of it stands alone. */
export async function eraseConnectionTest(tx: Tx, id: string): Promise<void> {
  await tx`delete from connection_tests where id = ${id}`
}
