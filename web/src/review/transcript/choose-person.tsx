import { useMemo } from 'react'
import { ChoiceMenu } from '../../design/choice-menu.tsx'
import { useText } from '../review-text.ts'
import { useStore } from '../store.ts'
import { useStudy } from '../study-context.ts'
import type { TranscriptLine } from './vtt.ts'

/** Never a name, because names are trimmed. */
const EVERYBODY = ' '

/** Shows the lines of one person or of everybody. A press on a lane of the axis chooses the same. */
export function ChoosePerson({ lines }: { lines: readonly TranscriptLine[] }) {
  const text = useText()
  const { desk, activity } = useStudy()
  const person = useStore(desk, (state) => state.person)
  const people = useMemo(() => [...new Set(lines.flatMap(({ speaker }) => speaker ?? []))], [lines])
  if (people.length < 2) return null
  const roleOf = (name: string) =>
    activity.data?.people.find(({ display_name: known }) => known === name)?.role
  const labelOf = (name: string) => {
    const role = roleOf(name)
    return role === undefined ? name : text.personInRole(name, text.roles[role])
  }
  return (
    <ChoiceMenu
      label={text.transcript.person}
      value={person ?? EVERYBODY}
      options={[
        { id: EVERYBODY, label: text.transcript.everybody },
        ...people.map((id) => ({ id, label: labelOf(id) })),
      ]}
      onChoose={(id) => desk.set({ person: id === EVERYBODY ? null : id })}
    />
  )
}
