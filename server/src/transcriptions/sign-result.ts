import { RESULT_URL_LIFE_SEC } from '@interview-room/contract/limits.ts'
import type { Deps } from '../deps.ts'
import type { Transcription } from './transcription.ts'

export type SignedTranscription = Transcription & {
  /** Null unless it is done. */
  resultUrl: string | null
}

/** Gives a done transcription the address of its result: a new one at every read. */
export async function signResult(
  { storage }: Pick<Deps, 'storage'>,
  transcription: Transcription,
): Promise<SignedTranscription> {
  if (transcription.status !== 'done') return { ...transcription, resultUrl: null }
  const { url } = await storage.signGet(transcription.resultKey, {
    expiresInSec: RESULT_URL_LIFE_SEC,
    fileName: `transcription-${transcription.id}.vtt`,
    disposition: 'attachment',
    mime: 'text/vtt; charset=utf-8',
  })
  return { ...transcription, resultUrl: url }
}
