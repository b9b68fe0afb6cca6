import { json, type Query, type Tx } from '../db/db.ts'

/** An object that no row names, or a file that a row names and the storage does not have. */
export type DifferenceKind = 'unnamed' | 'missing'

export interface FoundDifference {
  key: string
  /** Only a person may delete the object. Stays set for as long as the object is unnamed. */
  isHeld: boolean
}

/** Stores what a look at everything found. Differences of this kind that it did not find are over. */
export async function replaceDifferences(
  tx: Tx,
  kind: DifferenceKind,
  { found, at }: { found: readonly FoundDifference[]; at: Date },
): Promise<void> {
  const rows = found.map(({ key, isHeld }) => ({ key, is_held: isHeld }))
  await tx`
    delete from storage_differences
     where kind = ${kind} and storage_key <> all(${found.map(({ key }) => key)})
  `
  await tx`
    insert into storage_differences as known (storage_key, kind, found_at, is_held)
    select key, ${kind}, ${at}::timestamptz, is_held
      from jsonb_to_recordset(${json(rows)}) as found (key text, is_held boolean)
    on conflict (kind, storage_key) do update
       set is_held = known.is_held or excluded.is_held
  `
}

/** Removes and returns the unnamed objects that were found before this time and are not held. */
export async function takeUnnamedSince(tx: Tx, before: Date): Promise<string[]> {
  const rows = await tx<{ key: string }[]>`
    delete from storage_differences
     where kind = 'unnamed' and not is_held and found_at <= ${before}
    returning storage_key as key
  `
  return rows.map(({ key }) => key)
}

export interface CountedDifferences {
  kind: DifferenceKind | 'held'
  count: number
}

/** Held objects are counted alone. Counts up to 10,000. */
export async function countDifferences(query: Query): Promise<CountedDifferences[]> {
  return query<CountedDifferences[]>`
    select case when is_held then 'held' else kind end as kind, count(*)::int as count
      from (select kind, is_held from storage_differences limit 10000) as counted
     group by 1
  `
}
