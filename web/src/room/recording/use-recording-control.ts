import { useState } from 'react'
import { useLive, useLiveState } from '../../live/use-live.tsx'

export type RecordingWord = 'start' | 'pause' | 'resume' | 'stop'

/** What a moderator can say to the recording now, and how the last word is going. */
export function useRecordingControl() {
  const { request } = useLive()
  const status = useLiveState((state) => state.recording?.status)
  const [isSending, setIsSending] = useState(false)
  const [refused, setRefused] = useState<RecordingWord | null>(null)

  /** Answers whether it was done. One word at a time: another one meanwhile is not sent. */
  async function say(word: RecordingWord): Promise<boolean> {
    if (isSending) return false
    setIsSending(true)
    setRefused(null)
    const answer = await request('POST', `/recording/${word}`)
    setIsSending(false)
    if (!answer.ok) setRefused(word)
    return answer.ok
  }
  return { isSending, refused, say, next: nextWord(status) }
}

/** What one press means: nothing that ends a recording. */
function nextWord(status: string | undefined): Exclude<RecordingWord, 'stop'> {
  if (status === 'started') return 'pause'
  return status === 'paused' ? 'resume' : 'start'
}
