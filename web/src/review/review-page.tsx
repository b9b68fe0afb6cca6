import { useEffect, useState, useSyncExternalStore } from 'react'
import { useLocale } from '../i18n/language.tsx'
import { momentText } from '../i18n/times.ts'
import { EmptyPage, EndedPage, LoadingPage, MissingPage, UnplayablePage } from './closed-pages.tsx'
import { hasToken, type Place, placeIn } from './review-link.ts'
import { useText } from './review-text.ts'
import { isPlayable, type ReviewVisit, type VisitState } from './review-visit.ts'
import { FilePage } from './sharing/file-page.tsx'
import { Study } from './study.tsx'

interface ReviewPageProps {
  visit: ReviewVisit
  place: Place
  /** False if the address holds the token and must not change. */
  isAddressFree: boolean
}

/** One page for every state of a review. */
// oxlint-disable-next-line typescript/consistent-return -- the compiler sees that the switch is complete
export function ReviewPage(props: ReviewPageProps) {
  const { visit } = props
  const state = useSyncExternalStore(visit.subscribe, visit.getState)
  switch (state.phase) {
    case 'loading':
      return <LoadingPage isOffline={state.isOffline} />
    case 'ended':
      return <EndedPage />
    case 'missing':
      return <MissingPage />
    case 'open':
      if (state.review.clip !== null || state.review.reel !== null)
        return <FilePage api={visit.api} review={state.review} />
      return <Story {...props} review={state.review} />
  }
}

interface StoryProps extends ReviewPageProps {
  review: Extract<VisitState, { phase: 'open' }>['review']
}

const ARRIVING = { isPlaying: false, searched: '' }

/** The recordings of the link one after the other. */
function Story({ visit, review, place, isAddressFree }: StoryProps) {
  const { recordings } = review
  const [at, setAt] = useState({ part: (place.part ?? 1) - 1, sec: place.sec, ...ARRIVING })
  useTitle(review)
  useEffect(() => {
    const follow = () => {
      const { part, sec } = placeIn(location.hash)
      if (hasToken(location.hash) || sec === null) return
      setAt((before) => ({ ...before, part: part === null ? before.part : part - 1, sec }))
    }
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  }, [])

  const canDownload = review.may.includes('download')
  const asked = recordings[at.part]
  const recording =
    asked !== undefined && isPlayable(asked) ? asked : recordings.find((each) => isPlayable(each))
  const last = recordings.at(-1)
  if (last === undefined) return <EmptyPage />
  if (recording === undefined)
    return <UnplayablePage api={visit.api} recording={last} canDownload={canDownload} />
  const part = recordings.indexOf(recording)
  const next = recordings.findIndex((each, index) => index > part && isPlayable(each))
  return (
    <Study
      key={recording.id}
      visit={visit}
      review={review}
      recording={recording}
      // A place belongs to the recording that the address names.
      place={recording === asked ? at : { ...at, sec: null }}
      isAddressFree={isAddressFree}
      onPart={(to, sec, searched = '') =>
        setAt({ ...ARRIVING, part: to, sec: sec ?? null, searched })
      }
      onEnded={() => {
        if (next !== -1) setAt({ ...ARRIVING, part: next, sec: 0, isPlaying: true })
      }}
    />
  )
}

/** The tab is named after the interview. */
function useTitle({ session }: StoryProps['review']): void {
  const { documentTitle } = useText()
  const locale = useLocale()
  const name = session?.name ?? (session === null ? null : momentText(session.starts_at, locale))
  useEffect(() => {
    document.title = name === null ? documentTitle : `${name} · ${documentTitle}`
  }, [name, documentTitle])
}
