import { useEffect, useRef, useState } from 'react'
import type { DeviceState, Person } from '../../connection/call-state.ts'
import { useText } from '../../i18n/text.ts'
import { useToolsText } from '../../i18n/tools-text.ts'
import { rosterChanges, type Sight, sightAfter } from './roster-changes.ts'

interface AnnouncementsProps {
  people: readonly Person[]
  phase: 'live' | 'reconnecting'
  microphone: DeviceState
}

/**
 * Announces to screen readers that one has joined and with whom, then people who join and leave and the connection
 * quality. The own mute is announced immediately.
 */
export function Announcements({ people, phase, microphone }: AnnouncementsProps) {
  const text = useText().call
  const { nameSeparator } = useToolsText().line
  const [news, setNews] = useState('')
  const before = useRef<Sight>(undefined)
  useEffect(() => {
    if (before.current === undefined) {
      before.current = { people, phase }
      const others = rosterChanges([], people).came
      setNews(others.length === 0 ? text.entered : text.enteredWith(others.join(nameSeparator)))
      return
    }
    const now = sightAfter(before.current, { people, phase })
    const { came, went } = rosterChanges(before.current.people, now.people)
    const line =
      phase === before.current.phase
        ? []
        : [phase === 'live' ? text.reconnected : text.reconnectingLong]
    before.current = now
    const said = [...came.map(text.joined), ...went.map(text.wentOut), ...line]
    if (said.length > 0) setNews(said.join(' '))
  }, [people, phase, text, nameSeparator])

  const mute = useMuteWords(microphone)
  return (
    <>
      <output className="visually-hidden" aria-live="polite">
        {news}
      </output>
      <div className="visually-hidden" aria-live="assertive">
        {mute}
      </div>
    </>
  )
}

/** Words for a change of the own microphone. Empty for its state on entry. */
function useMuteWords(microphone: DeviceState): string {
  const text = useText().call
  const last = useRef<DeviceState>('starting')
  const [words, setWords] = useState('')
  useEffect(() => {
    if (microphone === 'starting' || microphone === last.current) return
    const isFirst = last.current === 'starting'
    last.current = microphone
    if (!isFirst) setWords(microphone === 'on' ? text.microphoneIsOn : text.microphoneIsOff)
  }, [microphone, text])
  return words
}
