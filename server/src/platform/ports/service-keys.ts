import type { KeyObject } from 'node:crypto'

/** The service's own keys: it signs tokens for itself, and every replica can read them. */
export interface ServiceKeys {
  signing(): Promise<{ kid: string; key: KeyObject }>
  verifying(kid: string): Promise<KeyObject | undefined>
}
