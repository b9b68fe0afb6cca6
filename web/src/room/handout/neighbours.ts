interface Neighbours<T> {
  previous: T | null
  next: T | null
}

/** The handouts before and after the shown one. If none is shown, the first one is next. */
export function neighbours<T extends { id: string }>(
  ordered: readonly T[],
  shownId: string | null,
): Neighbours<T> {
  const shown = ordered.findIndex(({ id }) => id === shownId)
  const previous = shown === -1 ? null : (ordered[shown - 1] ?? null)
  return { previous, next: ordered[shown + 1] ?? null }
}
