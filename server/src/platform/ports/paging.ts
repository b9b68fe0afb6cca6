import { createHmac, timingSafeEqual } from 'node:crypto'
import { PAGE_LIMIT_DEFAULT } from '@interview-room/contract/limits.ts'
import { refuseField } from '../lib/service-error.ts'

/** The scope that a cursor is bound to: it is valid for no other list, tenant or filter. */
interface ListScope {
  list: string
  tenantId: string
  /** Path ids and filters, as given. */
  filters: Record<string, string | undefined>
}

export interface PageRequest {
  limit: number
  /** Position after which to continue; undefined on the first page. */
  after: string | undefined
}

interface Page<T> {
  items: T[]
  next_cursor: string | null
  has_more: boolean
}

/** How one list is read and shown. */
interface Listing<R, T> {
  /** The rows after `after`, up to `limit + 1` of them: the extra one shows that there is more. */
  rows: (request: PageRequest) => Promise<readonly R[]>
  /** The row's position in the order, as text. */
  positionOf: (row: R) => string
  present: (row: R) => T
}

export interface Paging {
  /** One page. Throws 400 INVALID_REQUEST if the cursor is not one of ours for this list. */
  page<R, T>(
    query: { cursor?: string; limit?: number },
    scope: ListScope,
    listing: Listing<R, T>,
  ): Promise<Page<T>>
}

const SIGNATURE_BYTES = 16

/**
 * @param key 32 bytes, the same on every replica.
 * @param previous Its cursors are accepted, too.
 */
export function createPaging(key: Buffer, previous?: Buffer): Paging {
  function sign(position: string, scope: ListScope, by = key): Buffer {
    const filters = Object.entries(scope.filters).toSorted(([a], [b]) => (a < b ? -1 : 1))
    const bound = JSON.stringify([scope.list, scope.tenantId, filters, position])
    return createHmac('sha256', by)
      .update('cursor')
      .update(bound)
      .digest()
      .subarray(0, SIGNATURE_BYTES)
  }

  function open(cursor: string, scope: ListScope): string {
    const bytes = Buffer.from(cursor, 'base64url')
    const position = bytes.subarray(SIGNATURE_BYTES).toString('utf8')
    const isSignedBy = (by: Buffer) =>
      timingSafeEqual(bytes.subarray(0, SIGNATURE_BYTES), sign(position, scope, by))
    const isOurs =
      bytes.length > SIGNATURE_BYTES &&
      // Decoding is lenient, so only the exact spelling that we issued is accepted.
      bytes.toString('base64url') === cursor &&
      (isSignedBy(key) || (previous !== undefined && isSignedBy(previous)))
    if (isOurs) return position
    throw refuseField('INVALID_REQUEST', {
      field: 'cursor',
      code: 'INVALID_FORMAT',
      message: 'must be a next_cursor of this list, unchanged and with the same filters',
    })
  }

  return {
    async page({ cursor, limit = PAGE_LIMIT_DEFAULT }, scope, { rows, positionOf, present }) {
      const after = cursor === undefined ? undefined : open(cursor, scope)
      const read = await rows({ limit, after })
      const shown = read.slice(0, limit)
      const last = shown.at(-1)
      const hasMore = read.length > limit
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
