import type { Tx } from '../../platform/db/db.ts'
import { deleteAnswersAbout } from './store.ts'

interface Reference {
  tenantId: string
  externalType: string
  externalId: string
  texts: readonly string[]
}

/** Forgets kept answers that contain one of these texts, or the whole reference as answers spell it. */
export async function forgetAnswers(
  tx: Tx,
  { tenantId, externalType, externalId, texts }: Reference,
): Promise<void> {
  const halves = [
    `"external_type":${JSON.stringify(externalType)}`,
    `"external_id":${JSON.stringify(externalId)}`,
  ]
  await deleteAnswersAbout(tx, { tenantId, texts, halves })
}
