import { EgressStatus, ListEgressResponse } from '@livekit/protocol'
import { mediaApiToken, mediaUrl } from './provider.ts'
import type { Service } from './service.ts'

/** An egress as its engine reports it; moments in milliseconds since 1970. */
export interface ReportedEgress {
  requestedMs: number
  /** 0: it has not begun. */
  beganMs: number
  isOver: boolean
}

/** Every egress of a room. `url`: of another engine than the embedded one. */
export async function egressesOf(
  service: Service,
  roomId: string,
  url = mediaUrl(service),
): Promise<ReportedEgress[]> {
  const token = await mediaApiToken(service.dataDir, { roomRecord: true })
  const answer = await fetch(`${url}/twirp/livekit.Egress/ListEgress`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ room_name: roomId }),
    signal: AbortSignal.timeout(20_000),
  })
  if (!answer.ok) throw new Error(`ListEgress was answered ${answer.status}`)
  const { items } = ListEgressResponse.fromJsonString(await answer.text())
  return items.map(({ status, startedAt, fileResults }) => ({
    requestedMs: Number(startedAt / 1_000_000n),
    beganMs: Number((fileResults[0]?.startedAt ?? 0n) / 1_000_000n),
    isOver: status >= EgressStatus.EGRESS_COMPLETE,
  }))
}
