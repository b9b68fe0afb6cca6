import { randomUUID } from 'node:crypto'
import type { ControlPlane } from './control-plane.ts'

/** A final text. Times are seconds after `from`. */
export interface SaidText {
  identity: string
  text: string
  from?: Date
  startSec?: number
  endSec?: number
  isTranslation?: boolean
  isObservable?: boolean
  /** When it was stored; now by default. */
  createdAt?: Date
}

/** Adds texts as the listener leaves them, in this order. A participant's identity is their id. */
export async function addLiveTexts(
  { database }: ControlPlane,
  roomId: string,
  said: readonly SaidText[],
): Promise<void> {
  for (const each of said) {
    const { startSec = 0, endSec = startSec + 1, from = new Date(), isTranslation = false } = each
    const after = (sec: number) => new Date(from.getTime() + sec * 1000)
    await database.db`
      with clock as (
        update room_clocks set seq = seq + 1 where room_id = ${roomId} returning seq
      )
      insert into live_texts (id, room_id, seq, participant_id, media_identity, segment, language,
                              is_translation, text, is_observable, started_at, ended_at, created_at)
      select ${randomUUID()}, ${roomId}, seq,
             (select id from participants where room_id = ${roomId} and id::text = ${each.identity}),
             ${each.identity}, ${randomUUID()}, ${isTranslation ? 'en-US' : 'ja-JP'},
             ${isTranslation}, ${each.text}, ${each.isObservable ?? true}, ${after(startSec)},
             ${after(endSec)}, ${each.createdAt ?? new Date()}
        from clock
    `
  }
}
