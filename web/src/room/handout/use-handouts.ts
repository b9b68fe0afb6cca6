import type { HandoutBody } from '@interview-room/contract/handouts.ts'
import { useEffect, useRef, useState } from 'react'
import type { LiveRequest } from '../../live/live-request.ts'
import { useLive, useLiveState } from '../../live/use-live.tsx'
import { useRequest } from '../tools/use-request.ts'
import { neighbours } from './neighbours.ts'

const PAGE_LIMIT = 100

type LoadState =
  | { status: 'loading' }
  | { status: 'failed' }
  | { status: 'loaded'; handouts: readonly HandoutBody[] }

/** The moderator's handouts, and what to do with them. */
export function useHandouts(isOpen: boolean) {
  const { loaded, load } = useLoaded(isOpen)
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

  async function show(id: string): Promise<void> {
    asked.current = id
    if (!(await post<'showHandout'>(`/handouts/${id}/show`)) && asked.current === id)
      asked.current = null
  }
  function showBeside(side: 'previous' | 'next'): void {
    const handout = neighbours(handouts, current())[side]
    if (handout !== null) void show(handout.id)
  }
  function hide(): void {
    const id = current()
    asked.current = null
    if (id !== null) void post<'hideHandout'>(`/handouts/${id}/hide`)
  }
  return {
    loaded,
    reload: () => void load(),
    shownId,
    shownName: presentation === null ? null : nameOf(presentation),
    hasFailed: status === 'failed',
    isBusy: status === 'sending',
    show: (id: string) => void show(id),
    hide,
    showNext: next === null ? null : () => showBeside('next'),
    showPrevious: previous === null ? null : () => showBeside('previous'),
  }
}

/** As the moderator knows it. */
export function nameOf({ title, file_name }: { title: string | null; file_name: string }): string {
  return title ?? file_name
}

export type Handouts = ReturnType<typeof useHandouts>

function useLoaded(isOpen: boolean) {
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
    if (stream === 'live') void load()
    // oxlint-disable-next-line react/exhaustive-deps -- load is new with every drawing
  }, [stream, isOpen, version])
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
