import type { RecordingActivityBody } from '@interview-room/contract/review.ts'
import { memo, useMemo } from 'react'
import { ToggleButton } from 'react-aria-components'
import { timecode } from '../../i18n/times.ts'
import { useStore } from '../../pages/store.ts'
import { useText } from '../review-text.ts'
import { useStudy } from '../study-context.ts'
import styles from './axis.module.css'

type Person = RecordingActivityBody['people'][number]

/** A lane for each person: who speaks when. A press on the name shows only that person's lines. */
export function Voices() {
  const { activity, player } = useStudy()
  const durationSec = useStore(player.store, (state) => state.durationSec)
  return activity.data?.people.map((person) => (
    <div key={`${person.participant_id} ${person.display_name}`} className={styles.row}>
      <Name person={person} />
      <Voice person={person} durationSec={durationSec} />
    </div>
  ))
}

function Name({ person: { display_name: name, role } }: { person: Person }) {
  const text = useText()
  const { desk } = useStudy()
  const chosen = useStore(desk, (state) => state.voices?.id)
  return (
    <ToggleButton
      className={`${styles.label} ${styles.person}`}
      aria-label={text.axis.onlyLinesOf(name, text.roles[role])}
      isSelected={chosen === name}
      onChange={(isOn) =>
        desk.set({ voices: isOn ? { id: name, names: [name] } : null, tab: 'transcript' })
      }
    >
      <bdi>{name}</bdi>
    </ToggleButton>
  )
}

/** One path for all stretches, and one for how loud they are: cheap to draw for hours. */
const Voice = memo(function Voice({
  person,
  durationSec,
}: {
  person: Person
  durationSec: number
}) {
  const text = useText().axis
  const { speech, levels, display_name: name } = person
  const stretches = useMemo(
    () => speech.map(({ start_sec: from, end_sec: to }) => `M${from} 0H${to}V1H${from}Z`).join(''),
    [speech],
  )
  const loudness = useMemo(() => pathOfLevels(levels), [levels])
  const spokenSec = speech.reduce((sum, { start_sec: from, end_sec: to }) => sum + to - from, 0)
  return (
    <svg
      className={styles.voice}
      viewBox={`0 0 ${Math.max(durationSec, 1)} 1`}
      preserveAspectRatio="none"
      role="img"
      aria-label={text.speaks(name, timecode(spokenSec))}
    >
      <path className={styles.speech} d={stretches} />
      <path className={styles.loudness} d={loudness} />
    </svg>
  )
})

/** Quieter sounds are drawn as none. */
const QUIET_DB = 70
const LOUD_DB = 120

function pathOfLevels(levels: readonly number[]): string {
  const tops = levels.map((level, sec) => {
    const height = Math.min(Math.max((level - QUIET_DB) / (LOUD_DB - QUIET_DB), 0), 1)
    return `V${(1 - height).toFixed(2)}H${sec + 1}`
  })
  return `M0 1${tops.join('')}V1Z`
}
