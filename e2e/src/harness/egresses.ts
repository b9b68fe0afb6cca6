import { EgressStatus, ListEgressResponse } from '@livekit/protocol'
import { type MediaServer, signMediaToken } from './provider.ts'
import { SOON_MS } from './wait.ts'

/** An egress as its engine reports it; moments in milliseconds since 1970. */
export interface ReportedEgress {
  requestedMs: number
  /** 0: it has not begun, or was ended before it had. */
  beganMs: number
  isOver: boolean
}

/** Every egress of a room, as the engine at this address has them. */
export async function egressesOf(engine: MediaServer, roomId: string): Promise<ReportedEgress[]> {
  const token = await signMediaToken(engine, { roomRecord: true })
  const answer = await fetch(`${engine.url}/twirp/livekit.Egress/ListEgress`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ room_name: roomId }),
    signal: AbortSignal.timeout(SOON_MS),
  })
  if (!answer.ok) throw new Error(`ListEgress was answered ${answer.status}`)
  const { items } = ListEgressResponse.fromJsonString(await answer.text(), {
    ignoreUnknownFields: true,
  })
  return items.map(({ status, startedAt, fileResults }) => ({
    requestedMs: Number(startedAt / 1_000_000n),
    // LiveKit Egress gives one that was ended before its beginning a moment, too.
    beganMs:
      status === EgressStatus.EGRESS_ABORTED
        ? 0
        : Number((fileResults[0]?.startedAt ?? 0n) / 1_000_000n),
    isOver: status >= EgressStatus.EGRESS_COMPLETE,
  }))
}
