import { backoffMs } from '../../live/backoff.ts'
import { framersIn } from './host-messages.ts'

const TOO_MANY_REQUESTS = 429

/** The origins that may show this page in a frame. Asks until there is an answer of the service. */
export async function findFramers(ask: () => Promise<Response>): Promise<string[]> {
  for (let failures = 0; ; failures += 1) {
    const answer = await ask().catch(() => null)
    if (answer !== null && isFinal(answer)) {
      return framersIn(answer.headers.get('content-security-policy') ?? '')
    }
    await pause(backoffMs(failures, Math.random()))
  }
}

/** Of a proxy, or of a service in trouble, the policy says nothing about this page. */
function isFinal({ status }: Response): boolean {
  return status < 500 && status !== TOO_MANY_REQUESTS
}

async function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms)
  })
}
