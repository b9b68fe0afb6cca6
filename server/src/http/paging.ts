import { createHmac, timingSafeEqual } from 'node:crypto'
import { PAGE_LIMIT_DEFAULT } from '@interview-room/contract/limits.ts'
import { refuseField } from '../lib/service-error.ts'

/** What a cursor is bound to: it opens no other list, no other tenant's, and no other filter's. */
interface ListScope {
  list: string
  tenantId: string
  /** Path ids and filters, as given. */
  filters: Record<string, string | undefined>
}

export interface PageRequest {
  limit: number
  /** Position after which to go on; undefined on the first page. */
  after: string | undefined
}

interface Page<T> {
  items: T[]
  next_cursor: string | null
  has_more: boolean
}

export interface Paging {
  /** Throws 400 INVALID_REQUEST when the cursor is not one of ours for this list. */
  read(query: { cursor?: string; limit?: number }, scope: ListScope): PageRequest
  /** `rows` were read with `limit + 1`; `positionOf` names the place of a row in the order. */
  answer<R, T>(
    rows: readonly R[],
    request: PageRequest & { scope: ListScope },
    map: { positionOf: (row: R) => string; present: (row: R) => T },
  ): Page<T>
}

const SIGNATURE_BYTES = 16

/** @param key 32 bytes, the same on every replica. */
export function createPaging(key: Buffer): Paging {
  function sign(position: string, scope: ListScope): Buffer {
    const filters = Object.entries(scope.filters).toSorted(([a], [b]) => (a < b ? -1 : 1))
    const bound = JSON.stringify([scope.list, scope.tenantId, filters, position])
    return createHmac('sha256', key)
      .update('cursor')
      .update(bound)
      .digest()
      .subarray(0, SIGNATURE_BYTES)
  }

  function open(cursor: string, scope: ListScope): string {
    const bytes = Buffer.from(cursor, 'base64url')
    const position = bytes.subarray(SIGNATURE_BYTES).toString('utf8')
    const isOurs =
      bytes.length > SIGNATURE_BYTES &&
      // Decoding forgives; only the one spelling that we gave out is taken back.
      bytes.toString('base64url') === cursor &&
      timingSafeEqual(bytes.subarray(0, SIGNATURE_BYTES), sign(position, scope))
    if (isOurs) return position
    throw refuseField('INVALID_REQUEST', {
      field: 'cursor',
      code: 'INVALID_FORMAT',
      message: 'is not a cursor of this list',
    })
  }

  return {
    read({ cursor, limit = PAGE_LIMIT_DEFAULT }, scope) {
      return { limit, after: cursor === undefined ? undefined : open(cursor, scope) }
    },
    answer(rows, { limit, scope }, { positionOf, present }) {
      const shown = rows.slice(0, limit)
      const last = shown.at(-1)
      const hasMore = rows.length > limit
      const next = hasMore && last !== undefined ? positionOf(last) : undefined
      return {
        items: shown.map((row) => present(row)),
        next_cursor:
          next === undefined
            ? null
            : Buffer.concat([sign(next, scope), Buffer.from(next)]).toString('base64url'),
        has_more: hasMore,
      }
    },
  }
}
