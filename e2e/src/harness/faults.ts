import { mediaApiToken, mediaUrl } from './provider.ts'
import type { Service } from './service.ts'
import { SOON_MS } from './wait.ts'

/** Makes the embedded media server of the shared service fail, in this way only. */
export async function injectFaults(service: Service, faults: object): Promise<void> {
  const token = await mediaApiToken(service.dataDir, { roomRecord: true })
  const authorization = `Bearer ${token}`
  for (const request of [
    { method: 'DELETE', headers: { authorization } },
    {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify(faults),
    },
  ]) {
    const signal = AbortSignal.timeout(SOON_MS)
    const answer = await fetch(`${mediaUrl(service)}/faults`, { ...request, signal })
    if (!answer.ok) throw new Error(`${request.method} of faults is refused: ${answer.status}`)
  }
}
