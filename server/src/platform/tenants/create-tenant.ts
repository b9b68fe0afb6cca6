import type { Db } from '../db/db.ts'
import { uuidv7 } from '../lib/uuid.ts'
import { insertTenant } from './store.ts'

export async function createTenant(
  db: Db,
  { name, isSandbox = false }: { name: string; isSandbox?: boolean },
): Promise<{ id: string }> {
  const id = uuidv7()
  await insertTenant(db, { id, name, isSandbox })
  return { id }
}
