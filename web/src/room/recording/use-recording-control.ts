import type { ErrorDetail } from '@interview-room/contract/errors.ts'
import { useState } from 'react'
import { useLive, useLiveState } from '../../live/use-live.tsx'

export type RecordingCommand = 'start' | 'pause' | 'resume' | 'stop'

/** What to say when the recording does not do as it was asked. */
export type RecordingRefusal = 'start' | 'stop' | 'consent' | 'other'

function refusalOf(
  word: RecordingCommand,
  details: readonly Pick<ErrorDetail, 'code'>[],
): RecordingRefusal {
  if (details.some(({ code }) => code === 'CONSENT_REQUIRED')) return 'consent'
  return word === 'start' || word === 'stop' ? word : 'other'
}

/** A command, and the state of the recording when it was sent. */
interface Sent {
  status: string | undefined
}

/** The commands that a moderator can send now, and the progress of the last one. */
export function useRecordingControl() {
  const { request } = useLive()
  const status = useLiveState((state) => state.recording?.status)
  const [sent, setSent] = useState<Sent | null>(null)
  const [refusal, setRefusal] = useState<(Sent & { refused: RecordingRefusal }) | null>(null)
  // The live stream may report completion before the answer arrives: then the next command can be sent.
  const isSending = sent !== null && sent.status === status
  // What was refused has happened meanwhile: by the same command, whose answer was lost, or by somebody else's.
  const refused = refusal !== null && refusal.status === status ? refusal.refused : null

  /** Answers whether it was done. One word at a time: another one meanwhile is not sent. */
  async function say(word: RecordingCommand): Promise<boolean> {
    if (isSending) return false
    const sending = { status }
    setSent(sending)
    setRefusal(null)
    const answer = await request<`${RecordingCommand}Recording`>('POST', `/recording/${word}`)
    setSent((latest) => (latest === sending ? null : latest))
    if (!answer.ok) setRefusal({ ...sending, refused: refusalOf(word, answer.details) })
    return answer.ok
  }
  return { isSending, refused, say, next: nextCommand(status) }
}

/** What one press means: nothing that ends a recording. */
function nextCommand(status: string | undefined): Exclude<RecordingCommand, 'stop'> {
  if (status === 'started') return 'pause'
  return status === 'paused' ? 'resume' : 'start'
}
