import { afterEach, describe, expect, test, vi } from 'vitest'
import { createLiveRequest } from './live-request.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

/** A service that never answers, with a signal that the client has ended the request. */
function silentService() {
  const signals: AbortSignal[] = []
  vi.stubGlobal(
    'fetch',
    (_url: string, { signal }: { signal: AbortSignal }) =>
      new Promise((_resolve, reject) => {
        signals.push(signal)
        signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
      }),
  )
  return signals
}

describe('a file on its way', () => {
  test('stops when it is cancelled', async () => {
    const signals = silentService()
    const cancelling = new AbortController()
    const request = createLiveRequest('/live', () => 'ticket')
    const answer = request<'addHandoutInRoom'>(
      'POST',
      '/handouts',
      new FormData(),
      cancelling.signal,
    )
    expect(signals).toMatchObject([{ aborted: false }])
    cancelling.abort()
    expect(await answer).toMatchObject({ ok: false, code: 'OFFLINE' })
    expect(signals).toMatchObject([{ aborted: true }])
  })
})
