const NAME = 'interview-room.console'

/** The API key of this tab. A reload finds it again; another tab or the next visit does not. */
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

/** The public part of `<key_id>.<secret>`. Undefined if the text is not an API key. */
export function keyIdOf(apiKey: string): string | undefined {
  return /^([A-Za-z0-9_-]{1,64})\.[A-Za-z0-9_-]{1,256}$/.exec(apiKey)?.[1]
}
