import type { CryptoKey } from 'jose'

/** The service's own keys: it signs tokens for itself, and every replica can read them. */
export interface ServiceKeys {
  signing(): Promise<{ kid: string; key: CryptoKey }>
  verifying(kid: string): Promise<CryptoKey | undefined>
}
