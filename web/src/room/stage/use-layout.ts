import { useState } from 'react'
import type { Person } from '../../connection/call-state.ts'
import type { Corner } from './arrange-stage.ts'
import { featuredOf, type Layout } from './layout.ts'

const KEY = 'interview-room.view'

interface Watched {
  spotlight: string | null
  isRespondent: boolean
}

/** The layout of the people on this page. The choice is remembered for the next visit. */
export function useLayout(people: readonly Person[], { spotlight, isRespondent }: Watched) {
  const firstTime = isRespondent ? 'grid' : 'speaker'
  const [layout, setLayout] = useState(() => recallView().layout ?? firstTime)
  const [pinnedIdentity, setPinned] = useState<string | null>(null)
  const [lastSpeaker, setLastSpeaker] = useState<string | null>(null)
  const [corner, setCorner] = useState(() => recallView().corner ?? 'bottom-right')
  const [isSaving, setIsSaving] = useState(false)
  const speaker = people.find(
    ({ isLocal, isSpeaking, isMuted }) => !isLocal && isSpeaking && !isMuted,
  )
  const speakingNow = speaker?.identity
  // Set during rendering, as React recommends for state derived from props.
  if (speakingNow !== undefined && speakingNow !== lastSpeaker) setLastSpeaker(speakingNow)
  return {
    layout,
    isRespondent,
    pinnedIdentity,
    /** Videos are hidden and not sent to this page, for a weak connection or machine. */
    isSaving,
    featured: featuredOf(people, {
      layout,
      pinnedIdentity,
      spotlight,
      lastSpeaker,
      isRespondent,
    }),
    corner,
    moveSelf: (to: Corner) => {
      rememberView({ corner: to })
      setCorner(to)
    },
    toggleLayout: () => {
      const next: Layout = layout === 'grid' ? 'speaker' : 'grid'
      rememberView({ layout: next })
      setLayout(next)
    },
    toggleSaving: () => setIsSaving((before) => !before),
    togglePin: (identity: string) => setPinned((before) => (before === identity ? null : identity)),
  }
}

export type StageView = ReturnType<typeof useLayout>

/** The view that was last used in a room on this machine. */
interface RememberedView {
  layout?: Layout
  corner?: Corner
}

function recallView(): RememberedView {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}') as RememberedView
  } catch {
    return {}
  }
}

function rememberView(change: RememberedView): void {
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...recallView(), ...change }))
  } catch {
    // A browser that stores nothing starts with the usual view at the next visit.
  }
}
