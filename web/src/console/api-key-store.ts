const NAME = 'interview-room.console'

/** The API key of this tab: a reload finds it again, another tab and the next visit do not. */
export interface ApiKeyStore {
  read(): string | null
  keep(apiKey: string): void
  forget(): void
}

export function createApiKeyStore(
  storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>,
): ApiKeyStore {
  return {
    read: () => storage.getItem(NAME),
    keep: (apiKey) => storage.setItem(NAME, apiKey),
    forget: () => storage.removeItem(NAME),
  }
}

/** `<key_id>.<secret>` -> its public part; undefined for a text that is no API key. */
export function keyIdOf(apiKey: string): string | undefined {
  return /^([A-Za-z0-9_-]{1,64})\.[A-Za-z0-9_-]{1,256}$/.exec(apiKey)?.[1]
}
