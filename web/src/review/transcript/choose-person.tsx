import { ROLES } from '@interview-room/contract/vocabulary.ts'
import { useMemo } from 'react'
import { ChoiceMenu } from '../../design/choice-menu.tsx'
import { useStore } from '../../pages/store.ts'
import type { TranscriptLine } from '../../player/vtt.ts'
import { useText } from '../review-text.ts'
import { useStudy } from '../study-context.ts'

/** Names are trimmed, so an id that begins with a space is never the one of a person. */
const EVERYBODY = ' '

/** Shows the lines of one person, of a role or of everybody. A press on a lane of the axis chooses a person, too. */
export function ChoosePerson({ lines }: { lines: readonly TranscriptLine[] }) {
  const text = useText()
  const { desk, activity } = useStudy()
  const voices = useStore(desk, (state) => state.voices)
  const names = useMemo(() => [...new Set(lines.flatMap(({ speaker }) => speaker ?? []))], [lines])
  if (names.length < 2) return null
  const people = names.map((name) => {
    const role = activity.data?.people.find(({ display_name: known }) => known === name)?.role
    return { name, role }
  })
  const roles = ROLES.flatMap((role) => {
    const inRole = people.filter((each) => each.role === role).map(({ name }) => name)
    return inRole.length < 2 ? [] : { id: ` ${role}`, label: text.roles[role], names: inRole }
  })
  const each = people.map(({ name, role }) => ({
    id: name,
    label: role === undefined ? name : text.personInRole(name, text.roles[role]),
    names: [name],
  }))
  const choices = [...roles, ...each]
  return (
    <ChoiceMenu
      label={text.transcript.person}
      value={voices?.id ?? EVERYBODY}
      options={[{ id: EVERYBODY, label: text.transcript.everybody }, ...choices]}
      onChoose={(id) => desk.set({ voices: choices.find((choice) => choice.id === id) ?? null })}
    />
  )
}
