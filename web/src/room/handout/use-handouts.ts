import type { HandoutBody } from '@interview-room/contract/handouts.ts'
import { useEffect, useState } from 'react'
import { numberQuestions } from '../../live/asking.ts'
import type { LiveRequest } from '../../live/live-request.ts'
import type { LiveState } from '../../live/store.ts'
import { useLive, useLiveState } from '../../live/use-live.tsx'
import { useRequest } from '../tools/use-request.ts'
import { neighbours } from './neighbours.ts'
import { pagesBeside } from './pdf/pages-beside.ts'
import { ShowQueue } from './show-queue.ts'

const PAGE_LIMIT = 100

type LoadState =
  | { status: 'loading' }
  | { status: 'failed' }
  | { status: 'loaded'; handouts: readonly HandoutBody[] }

interface HandoutsOptions {
  /** True if the person at this page has handouts. Otherwise none are requested. */
  isOffered: boolean
  /** True while their list is open. */
  isOpen: boolean
}

/** The moderator's handouts, and the actions on them. */
export function useHandouts({ isOffered, isOpen }: HandoutsOptions) {
  const { loaded, load } = useLoaded({ isOffered, isOpen })
  const { store } = useLive()
  const presentation = useLiveState((state) => state.presentation)
  const { status, post } = useRequest()
  const handouts = loaded.status === 'loaded' ? loaded.handouts : []
  const shownId = useLiveState(shownIdIn)
  const { previous, next } = neighbours(handouts, shownId)
  const [queue] = useState(() => new ShowQueue(() => shownIdIn(store.getState())))
  useEffect(() => queue.confirm(shownId), [queue, shownId])

  function show(id: string): void {
    void queue.show(id, async (each) => post<'showHandout'>(`/handouts/${each}/show`))
  }
  function showBeside(side: 'previous' | 'next'): void {
    const handout = neighbours(handouts, queue.currentId)[side]
    if (handout !== null) show(handout.id)
  }
  function turn(side: 'previous' | 'next'): void {
    const page = pagesBeside(handouts, queue.currentId)?.[side] ?? null
    if (page !== null) show(page.id)
  }
  function hide(): void {
    void queue.hide(async (each) => post<'hideHandout'>(`/handouts/${each}/hide`))
  }
  return {
    loaded,
    reload: () => void load(),
    shownId,
    shownName: presentation === null ? null : nameOf(presentation),
    isOpen,
    hasFailed: status === 'failed',
    isBusy: status === 'sending',
    show,
    hide,
    showNext: next === null ? null : () => showBeside('next'),
    showPrevious: previous === null ? null : () => showBeside('previous'),
    /** Null unless the shown handout is a page of a PDF with other pages. */
    pages: pagesBeside(handouts, shownId),
    turn,
  }
}

function shownIdIn({ presentation }: LiveState): string | null {
  return presentation?.handout_id ?? null
}

/** The moderator's name for the handout. */
export function nameOf({ title, file_name }: { title: string | null; file_name: string }): string {
  return title ?? file_name
}

export type Handouts = ReturnType<typeof useHandouts>

function useLoaded({ isOffered, isOpen }: HandoutsOptions) {
  const { request } = useLive()
  const stream = useLiveState((state) => state.stream)
  const version = useLiveState((state) => state.handoutsVersion)
  const [loaded, setLoaded] = useState<LoadState>({ status: 'loading' })
  const [questions] = useState(numberQuestions)

  async function load(): Promise<void> {
    const isNewest = questions.ask()
    const handouts = await listAll(request)
    if (handouts !== null) {
      // Each added page of a PDF requests the list again, and the answers may overtake each other.
      if (isNewest()) setLoaded({ status: 'loaded', handouts })
      return
    }
    // The previous list is still better than none.
    setLoaded((before) => (before.status === 'loaded' ? before : { status: 'failed' }))
  }

  // Loads at first, after every interruption and change, and whenever the list is opened.
  useEffect(() => {
    if (isOffered && stream === 'live') void load()
    // oxlint-disable-next-line react/exhaustive-deps -- load is new with every drawing
  }, [isOffered, stream, isOpen, version])
  return { loaded, load }
}

/** All pages of the list, in order. Null if one of them failed. */
async function listAll(request: LiveRequest): Promise<HandoutBody[] | null> {
  const handouts: HandoutBody[] = []
  let cursor: string | null = null
  do {
    const from: string = cursor === null ? '' : `&cursor=${cursor}`
    const answer = await request<'listHandoutsInRoom'>(
      'GET',
      `/handouts?limit=${PAGE_LIMIT}${from}`,
    )
    if (!answer.ok) return null
    handouts.push(...answer.data.items)
    cursor = answer.data.next_cursor
  } while (cursor !== null)
  return handouts
}
