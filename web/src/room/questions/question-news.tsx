import { usePeopleText } from '../../i18n/people-text.ts'
import { useLive, useLiveState } from '../../live/use-live.tsx'
import { useNews } from '../../live/use-news.ts'

/** Announces new questions to the roles that read them, whichever panel is open. */
export function QuestionNews() {
  const text = usePeopleText().questions
  const { store } = useLive()
  const newest = useLiveState((state) => state.questions.at(-1) ?? null)
  const isMine = newest !== null && store.isMine({ id: '', participant_id: newest.participant_id })
  const words = newest === null || isMine ? '' : text.news(newest.display_name)
  return (
    <output className="visually-hidden" aria-live="polite">
      {useNews(newest?.id ?? null, words)}
    </output>
  )
}
