import { useCallback, useEffect, useRef, useState } from 'react'

interface Page<T> {
  items: readonly T[]
  next_cursor: string | null
}

export interface List<T> {
  /** Undefined until the first answer. */
  items: readonly T[] | undefined
  /** The error of the last request. */
  error: unknown
  isLoading: boolean
  hasMore: boolean
  more: () => void
  refresh: () => void
}

interface State<T> {
  load: unknown
  items: readonly T[] | undefined
  cursor: string | null
  error: unknown
  isLoading: boolean
}

const EMPTY = { items: undefined, cursor: null, error: null, isLoading: true }

/** A list of the service, page by page. It starts again whenever `load` changes. */
export function useList<T>(load: (cursor?: string) => Promise<Page<T>>): List<T> {
  const [state, setState] = useState<State<T>>({ load, ...EMPTY })
  // Only the newest request counts, because an older answer may arrive after it.
  const newest = useRef(0)

  const ask = useCallback(
    async (cursor?: string) => {
      newest.current += 1
      const turn = newest.current
      const change = await load(cursor).then(
        ({ items, next_cursor: next }) =>
          (before: State<T>): State<T> => ({
            load,
            items: cursor === undefined ? items : [...(before.items ?? []), ...items],
            cursor: next,
            error: null,
            isLoading: false,
          }),
        (error: unknown) =>
          (before: State<T>): State<T> => ({
            ...(before.load === load ? before : { ...EMPTY, load }),
            error,
            isLoading: false,
          }),
      )
      if (turn === newest.current) setState(change)
    },
    [load],
  )
  useEffect(() => {
    void ask()
  }, [ask])

  function askAgain(cursor?: string): void {
    setState((before) => ({ ...before, isLoading: true }))
    void ask(cursor)
  }

  const { items, cursor, error, isLoading } = state.load === load ? state : EMPTY
  const more = () => cursor !== null && askAgain(cursor)
  return {
    items,
    error,
    isLoading,
    hasMore: cursor !== null,
    more: () => void more(),
    refresh: () => askAgain(),
  }
}
