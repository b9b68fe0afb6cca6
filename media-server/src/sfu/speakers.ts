import { SpeakerInfo } from '@livekit/protocol'

export const SPEAKER_INTERVAL_MS = 400

/** The speakers whose level changed since the last report; those who fell silent are reported as inactive. */
export function changedSpeakers(
  received: ReadonlyMap<string, number>,
  measured: ReadonlyMap<string, number>,
): SpeakerInfo[] {
  const sids = new Set([...received.keys(), ...measured.keys()])
  return [...sids].flatMap((sid) => {
    const level = measured.get(sid) ?? 0
    if (level === (received.get(sid) ?? 0)) return []
    return [speakerOf(sid, level)]
  })
}

export function speakerOf(sid: string, level: number): SpeakerInfo {
  return new SpeakerInfo({ sid, level, active: level > 0 })
}
