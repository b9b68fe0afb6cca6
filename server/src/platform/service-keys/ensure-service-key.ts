import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK_EC_Public } from 'jose'
import { inTransaction } from '../db/db.ts'
import type { Deps } from '../ports/deps.ts'
import { insertServiceKey, listServiceKeys, lockServiceKeys } from './store.ts'

/** Makes the service's signing key at the very first start; replicas that start together agree on one. */
export async function ensureServiceKey({
  db,
  secretBox,
}: Pick<Deps, 'db' | 'secretBox'>): Promise<void> {
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true })
  const publicJwk = (await exportJWK(publicKey)) as JWK_EC_Public
  const privateJwk = await exportJWK(privateKey)
  const kid = await calculateJwkThumbprint(publicJwk)

  await inTransaction(db, async (tx) => {
    await lockServiceKeys(tx)
    if ((await listServiceKeys(tx)).length > 0) return
    await insertServiceKey(tx, {
      kid,
      publicJwk,
      privateJwkEncrypted: secretBox.seal(JSON.stringify(privateJwk)),
    })
  })
}
