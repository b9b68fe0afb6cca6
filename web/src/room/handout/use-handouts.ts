import type { HandoutBody } from '@interview-room/contract/handouts.ts'
import { useEffect, useRef, useState } from 'react'
import type { LiveRequest } from '../../live/live-request.ts'
import { useLive, useLiveState } from '../../live/use-live.tsx'
import { useRequest } from '../tools/use-request.ts'
import { neighbours } from './neighbours.ts'
import { pagesBeside } from './pdf/pages-beside.ts'

const PAGE_LIMIT = 100

type LoadState =
  | { status: 'loading' }
  | { status: 'failed' }
  | { status: 'loaded'; handouts: readonly HandoutBody[] }

interface HandoutsOptions {
  /** Whether the person at this page has handouts: without, nothing is asked for. */
  isOffered: boolean
  /** Whether their list is open. */
  isOpen: boolean
}

/** The moderator's handouts, and what to do with them. */
export function useHandouts({ isOffered, isOpen }: HandoutsOptions) {
  const { loaded, load } = useLoaded({ isOffered, isOpen })
  const presentation = useLiveState((state) => state.presentation)
  const { status, post } = useRequest()
  const handouts = loaded.status === 'loaded' ? loaded.handouts : []
  const shownId = presentation?.handout_id ?? null
  const { previous, next } = neighbours(handouts, shownId)
  const asked = useRef<string | null>(null)
  useEffect(() => {
    if (asked.current === shownId) asked.current = null
  }, [shownId])
  // Keys may come faster than the room reports what it shows: they refer to the last request.
  const current = () => asked.current ?? shownId

  const underWay = useRef(Promise.resolve(true))
  // A request that overtakes another one would leave the wrong handout shown.
  async function inTurn(send: () => Promise<boolean>): Promise<boolean> {
    underWay.current = underWay.current.then(send)
    return underWay.current
  }

  async function show(id: string): Promise<void> {
    asked.current = id
    // What was passed over meanwhile is not shown at all.
    const isShown = await inTurn(async () =>
      asked.current === id ? post<'showHandout'>(`/handouts/${id}/show`) : true,
    )
    if (!isShown && asked.current === id) asked.current = null
  }
  function showBeside(side: 'previous' | 'next'): void {
    const handout = neighbours(handouts, current())[side]
    if (handout !== null) void show(handout.id)
  }
  function turn(side: 'previous' | 'next'): void {
    const page = pagesBeside(handouts, current())?.[side] ?? null
    if (page !== null) void show(page.id)
  }
  function hide(): void {
    const id = current()
    asked.current = null
    if (id !== null) void inTurn(async () => post<'hideHandout'>(`/handouts/${id}/hide`))
  }
  return {
    loaded,
    reload: () => void load(),
    shownId,
    shownName: presentation === null ? null : nameOf(presentation),
    isOpen,
    hasFailed: status === 'failed',
    isBusy: status === 'sending',
    show: (id: string) => void show(id),
    hide,
    showNext: next === null ? null : () => showBeside('next'),
    showPrevious: previous === null ? null : () => showBeside('previous'),
    /** Null unless a page of a PDF is shown that has others. */
    pages: pagesBeside(handouts, shownId),
    turn,
  }
}

/** As the moderator knows it. */
export function nameOf({ title, file_name }: { title: string | null; file_name: string }): string {
  return title ?? file_name
}

export type Handouts = ReturnType<typeof useHandouts>

function useLoaded({ isOffered, isOpen }: HandoutsOptions) {
  const { request } = useLive()
  const stream = useLiveState((state) => state.stream)
  const version = useLiveState((state) => state.handoutsVersion)
  const [loaded, setLoaded] = useState<LoadState>({ status: 'loading' })

  async function load(): Promise<void> {
    const handouts = await listAll(request)
    if (handouts !== null) return setLoaded({ status: 'loaded', handouts })
    // What was loaded before is still better than nothing.
    setLoaded((before) => (before.status === 'loaded' ? before : { status: 'failed' }))
  }

  // At first, after every interruption and change, and whenever somebody looks.
  useEffect(() => {
    if (isOffered && stream === 'live') void load()
    // oxlint-disable-next-line react/exhaustive-deps -- load is new with every drawing
  }, [isOffered, stream, isOpen, version])
  return { loaded, load }
}

/** Every page of the list in its order; null when one of them did not come. */
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
