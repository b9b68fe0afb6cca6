import { useState } from 'react'
import type { Person } from '../../connection/call-state.ts'
import { featuredOf, type Layout } from './layout.ts'

/** How the pictures of this page are laid out. */
export function useLayout(people: readonly Person[]) {
  const [layout, setLayout] = useState<Layout>('grid')
  const [pinnedIdentity, setPinned] = useState<string | null>(null)
  const [lastSpeaker, setLastSpeaker] = useState<string | null>(null)
  const [isSaving, setIsSaving] = useState(false)
  const speaker = people.find(
    ({ isLocal, isSpeaking, isMuted }) => !isLocal && isSpeaking && !isMuted,
  )
  const speakingNow = speaker?.identity
  // While drawing, as React advises for what follows from what is given.
  if (speakingNow !== undefined && speakingNow !== lastSpeaker) setLastSpeaker(speakingNow)
  return {
    layout,
    pinnedIdentity,
    /** Nobody's moving pictures are shown, and so none are sent here: for a weak line or machine. */
    isSaving,
    featured: featuredOf(people, { layout, pinnedIdentity, lastSpeaker }),
    toggleLayout: () => setLayout((before) => (before === 'grid' ? 'speaker' : 'grid')),
    toggleSaving: () => setIsSaving((before) => !before),
    togglePin: (identity: string) => setPinned((before) => (before === identity ? null : identity)),
  }
}

export type StageLayout = ReturnType<typeof useLayout>
