import { useEffect, useState } from 'react'
import { type DeliveredWebhook, followWebhooks } from './local-api.ts'

const SHOWN_MAX = 200

/** The webhooks that the demo tenant's receiver got, newest first, as they arrive. */
export function useWebhooks() {
  const [delivered, setDelivered] = useState<readonly DeliveredWebhook[]>([])
  const [isLive, setIsLive] = useState(false)
  useEffect(
    () =>
      followWebhooks({
        live: setIsLive,
        // After a reconnect the stream repeats earlier webhooks, so skip known ones.
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
