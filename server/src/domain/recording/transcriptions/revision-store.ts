import type { RevisionAuthor } from '@interview-room/contract/transcripts.ts'
import type { Query, Tx } from '../../../platform/db/db.ts'

/** A version of a transcript. Revision 0 is the engine's and never changes. */
export interface Revision {
  transcriptionId: string
  revision: number
  wordsKey: string
  resultKey: string
  author: {
    kind: RevisionAuthor
    /** Name of the engine, id of the key, or the viewer's own reference. */
    reference: string
    name: string | null
  }
  createdAt: Date
}

/** @param sizeBytes of both objects together. */
export async function insertRevision(
  tx: Tx,
  { sizeBytes, ...row }: Revision & { sizeBytes: number },
): Promise<void> {
  const { author } = row
  await tx`
    insert into transcription_revisions (transcription_id, revision, words_key, result_key, size_bytes,
                                         author_kind, author_reference, author_name, created_at)
    values (${row.transcriptionId}, ${row.revision}, ${row.wordsKey}, ${row.resultKey}, ${sizeBytes},
            ${author.kind}, ${author.reference}, ${author.name}, ${row.createdAt})
  `
}

function columns(query: Query) {
  return query`
    transcription_id as "transcriptionId", revision, words_key as "wordsKey",
    result_key as "resultKey", created_at as "createdAt",
    jsonb_build_object('kind', author_kind, 'reference', author_reference,
                       'name', author_name) as author
  `
}

/** Newest first. */
export async function listRevisions(query: Query, transcriptionId: string): Promise<Revision[]> {
  return query<Revision[]>`
    select ${columns(query)}
      from transcription_revisions
     where transcription_id = ${transcriptionId}
     order by revision desc
  `
}

/** The newest revision, unless another one is named. Transcripts from before version 0.6 have none. */
export async function findRevision(
  query: Query,
  { transcriptionId, revision }: { transcriptionId: string; revision?: number | undefined },
): Promise<Revision | undefined> {
  const [row] = await query<Revision[]>`
    select ${columns(query)}
      from transcription_revisions
     where transcription_id = ${transcriptionId}
       and (${revision ?? null}::integer is null or revision = ${revision ?? null}::integer)
     order by revision desc
     limit 1
  `
  return row
}
