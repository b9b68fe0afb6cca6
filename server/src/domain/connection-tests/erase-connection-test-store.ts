import type { Tx } from '../../platform/db/db.ts'

/** Deletes a test with its result. A repeat of it stays. */
export async function eraseConnectionTest(tx: Tx, id: string): Promise<void> {
  await tx`delete from connection_tests where id = ${id}`
}
