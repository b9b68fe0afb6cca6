import type { Person } from '../../connection/call-state.ts'
import { usePeopleText } from '../../i18n/people-text.ts'
import { useLiveState } from '../../live/use-live.tsx'
import { useNews } from '../../live/use-news.ts'

/** Says who is large for everybody, for those who do not see it. */
export function SpotlightNews({ people }: { people: readonly Person[] }) {
  const text = usePeopleText()
  const identity = useLiveState((state) => state.spotlight)
  const name = people.find((person) => person.identity === identity)?.name
  const words = name === undefined ? text.spotlightEnded : text.spotlightNews(name)
  return (
    <output className="visually-hidden" aria-live="polite">
      {useNews(identity, words)}
    </output>
  )
}
