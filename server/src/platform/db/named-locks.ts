import type { Fragment, Tx } from './db.ts'

export interface NamedLock {
  name: string
  mode: 'shared' | 'alone'
}

/** A named lock, held until the transaction ends. Callers queue in the order of their arrival, in either mode. */
export async function lockByName(
  tx: Tx,
  name: string,
  mode: NamedLock['mode'] = 'alone',
): Promise<void> {
  await tx`select ${locking(tx, { name, mode })}`
}

function locking(tx: Tx, { name, mode }: NamedLock): Fragment {
  return mode === 'alone'
    ? tx`pg_advisory_xact_lock(hashtextextended(${name}, 0))`
    : tx`pg_advisory_xact_lock_shared(hashtextextended(${name}, 0))`
}

/** Takes two named locks in one statement, the second after the first: `case` keeps the order, a list of columns need not. */
export async function lockInTurn(tx: Tx, first: NamedLock, second: NamedLock): Promise<void> {
  await tx`select case when ${locking(tx, first)} is not null then ${locking(tx, second)} end`
}
