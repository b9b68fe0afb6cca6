import type { PageRequest } from '../../platform/ports/paging.ts'

/** The rows after the cursor of a short list that was read completely; one more than the page holds. */
export function rowsBehind<R>(
  rows: readonly R[],
  nameOf: (row: R) => string,
  { after, limit }: PageRequest,
): readonly R[] {
  const start = after === undefined ? 0 : rows.findIndex((row) => nameOf(row) === after) + 1
  return rows.slice(start, start + limit + 1)
}
