import { backoffMs } from '../../live/backoff.ts'
import { framersIn } from './host-messages.ts'

const TOO_MANY_REQUESTS = 429

/** The origins that may embed this page in a frame. Asks until the service answers. */
export async function findFramers(ask: () => Promise<Response>): Promise<string[]> {
  for (let failures = 0; ; failures += 1) {
    const answer = await ask().catch(() => null)
    if (answer !== null && isFinal(answer)) {
      return framersIn(answer.headers.get('content-security-policy') ?? '')
    }
    await pause(backoffMs(failures, Math.random()))
  }
}

/** A proxy's answer, or an error of the service, does not contain this page's policy. */
function isFinal({ status }: Response): boolean {
  return status < 500 && status !== TOO_MANY_REQUESTS
}

async function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms)
  })
}
