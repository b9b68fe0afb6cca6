import {
  ConnectionQuality,
  ConnectionQualityInfo,
  ConnectionQualityUpdate,
} from '@livekit/protocol'
import type { Participant } from './participant.ts'
import type { Room } from './room.ts'

const GOOD_FROM = 0.03
const POOR_FROM = 0.1
const SCORES: Record<number, number> = {
  [ConnectionQuality.EXCELLENT]: 4.5,
  [ConnectionQuality.GOOD]: 3.5,
  [ConnectionQuality.POOR]: 2,
}

/** Never LOST: clients that publish would start over, and the sweep knows who is gone. */
function qualityOf(lossShare: number): ConnectionQuality {
  if (lossShare >= POOR_FROM) return ConnectionQuality.POOR
  return lossShare >= GOOD_FROM ? ConnectionQuality.GOOD : ConnectionQuality.EXCELLENT
}

/** Sends every participant its own quality and that of those it may see. */
export function sendQuality(room: Room): void {
  const infos = new Map<Participant, ConnectionQualityInfo>()
  for (const participant of room.participants.values()) {
    if (!participant.isActive) continue
    const { publisher, subscriber } = participant
    const down = subscriber.takeLossShare()
    const loss = Math.max(publisher.takeLossShare(), subscriber.isCongested ? POOR_FROM : down)
    const quality = qualityOf(loss)
    const score = SCORES[quality] ?? 0
    const participantSid = participant.sid
    infos.set(participant, new ConnectionQualityInfo({ participantSid, quality, score }))
  }
  for (const receiver of infos.keys()) {
    const updates = [...infos]
      .filter(([other]) => other === receiver || !other.isHidden)
      .map(([, info]) => info)
    receiver.send({ case: 'connectionQuality', value: new ConnectionQualityUpdate({ updates }) })
  }
}
