import type { ErrorDetail } from '@interview-room/contract/errors.ts'
import { useState } from 'react'
import { useLive, useLiveState } from '../../live/use-live.tsx'

export type RecordingCommand = 'start' | 'pause' | 'resume' | 'stop'

/** The message to show when a command was refused. */
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
  // Hide the message once the state has changed: the same command may have worked although its answer was lost, or
  // somebody else sent one.
  const refused = refusal !== null && refusal.status === status ? refusal.refused : null

  /** Sends one command; resolves to true if it succeeded. While a command is under way, another one is not sent. */
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

/** The command of a single press. It never ends a recording. */
function nextCommand(status: string | undefined): Exclude<RecordingCommand, 'stop'> {
  if (status === 'started') return 'pause'
  return status === 'paused' ? 'resume' : 'start'
}
