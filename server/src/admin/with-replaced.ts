/**
 * The answer of a command that changed settings, with the earlier values that were replaced, so that a mistake can be undone. Null
 * if there were none.
 */
export function withReplaced<T extends object>(
  before: Partial<NoInfer<T>>,
  after: T,
): T & { replaced: object | null } {
  const now = new Map(Object.entries(after))
  const gone = Object.entries(before).filter(
    ([name, value]) => !isNothing(value) && JSON.stringify(value) !== JSON.stringify(now.get(name)),
  )
  return { ...after, replaced: gone.length === 0 ? null : Object.fromEntries(gone) }
}

function isNothing(value: unknown): boolean {
  return value === null || value === undefined || (Array.isArray(value) && value.length === 0)
}
