import { useEffect, useState } from 'react'
import { type DeliveredWebhook, followWebhooks } from './local-api.ts'

const SHOWN_MAX = 200

/** What the receiver of the demo tenant got, newest first, as it arrives. */
export function useWebhooks() {
  const [delivered, setDelivered] = useState<readonly DeliveredWebhook[]>([])
  const [isLive, setIsLive] = useState(false)
  useEffect(
    () =>
      followWebhooks({
        live: setIsLive,
        // The stream begins with what came before: after a break that is known already.
        webhook: (next) =>
          setDelivered((before) =>
            before.some((one) => one.id === next.id && one.received_at === next.received_at)
              ? before
              : [next, ...before].slice(0, SHOWN_MAX),
          ),
      }),
    [],
  )
  return { delivered, isLive }
}
