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

export interface NotedObject {
  key: string
  foundAt: Date
  isHeld: boolean
  keptAt: Date | null
}

/** The unnamed objects of the last look: those that wait for a decision first. */
export async function listUnnamed(query: Query, limit: number): Promise<NotedObject[]> {
  return query<NotedObject[]>`
    select storage_key as key, found_at as "foundAt", is_held as "isHeld", kept_at as "keptAt"
      from storage_differences
     where kind = 'unnamed'
     order by is_held and kept_at is null desc, found_at, storage_key
     limit ${limit}
  `
}

/** Unnamed objects with these keys, or all that wait for a decision. */
export type ChosenObjects = readonly string[] | 'held'

function areChosen(query: Query, chosen: ChosenObjects) {
  return chosen === 'held'
    ? query`kind = 'unnamed' and is_held and kept_at is null`
    : query`kind = 'unnamed' and storage_key = any(${[...chosen]})`
}

/** Keeps the objects until a person deletes them, and returns their keys. */
export async function markKept(query: Query, chosen: ChosenObjects, at: Date): Promise<string[]> {
  const rows = await query<{ key: string }[]>`
    update storage_differences set is_held = true, kept_at = coalesce(kept_at, ${at})
     where ${areChosen(query, chosen)}
    returning storage_key as key
  `
  return rows.map(({ key }) => key)
}

/** Removes the objects from the list, and returns their keys. */
export async function takeChosen(tx: Tx, chosen: ChosenObjects): Promise<string[]> {
  const rows = await tx<{ key: string }[]>`
    delete from storage_differences where ${areChosen(tx, chosen)} returning storage_key as key
  `
  return rows.map(({ key }) => key)
}

/** The objects that a person decided to keep. */
export async function listKept(query: Query): Promise<string[]> {
  const rows = await query<{ key: string }[]>`
    select storage_key as key from storage_differences where kept_at is not null
  `
  return rows.map(({ key }) => key)
}

export interface CountedDifferences {
  kind: DifferenceKind | 'held' | 'kept'
  count: number
}

/** Held and kept objects are counted alone. Counts up to 10,000. */
export async function countDifferences(query: Query): Promise<CountedDifferences[]> {
  return query<CountedDifferences[]>`
    select case when kept_at is not null then 'kept' when is_held then 'held' else kind end as kind,
           count(*)::int as count
      from (select kind, is_held, kept_at from storage_differences limit 10000) as counted
     group by 1
  `
}
