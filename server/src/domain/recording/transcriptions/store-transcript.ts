import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import type { TranscriptLine } from '@interview-room/contract/transcripts.ts'
import type { Query, Tx } from '../../../platform/db/db.ts'
import type { Deps } from '../../../platform/ports/deps.ts'
import {
  claimObject,
  expectObject,
  giveUpObject,
} from '../../../platform/storage/unclaimed-object.ts'
import { replaceLines } from './line-store.ts'
import { insertRevision, type Revision } from './revision-store.ts'
import { type Cue, lineOf, writeWebvtt } from './webvtt.ts'
import { type SpokenWord, storeWords } from './words-file.ts'

/** A transcript whose objects are stored. */
export interface StoredTranscript {
  resultKey: string
  wordsKey: string
  /** Size of both objects together. */
  sizeBytes: number
  lines: TranscriptLine[]
}

/** Stores captions and words. The caller adds the revision, or gives the objects up. */
export async function storeTranscript(
  deps: Pick<Deps, 'db' | 'clock' | 'storage'>,
  tenantId: string,
  { cues, words }: { cues: readonly Cue[]; words: readonly SpokenWord[] },
): Promise<StoredTranscript> {
  const name = `${tenantId}/transcripts/${randomUUID()}`
  const [resultKey, wordsKey] = [`${name}.vtt`, `${name}.json`]
  await expectObject(deps, resultKey)
  const body = Readable.from([Buffer.from(writeWebvtt(cues))])
  const captions = await deps.storage.put(resultKey, body, { mime: 'text/vtt; charset=utf-8' })
  await expectObject(deps, wordsKey)
  const sizeBytes = captions.sizeBytes + (await storeWords(deps, wordsKey, words))
  return { resultKey, wordsKey, sizeBytes, lines: cues.map(lineOf) }
}

/** Makes a stored transcript the newest revision. */
export async function addRevision(
  tx: Tx,
  { resultKey, wordsKey, sizeBytes, lines }: StoredTranscript,
  revision: Omit<Revision, 'resultKey' | 'wordsKey'>,
): Promise<void> {
  await claimObject(tx, resultKey)
  await claimObject(tx, wordsKey)
  await insertRevision(tx, { ...revision, resultKey, wordsKey, sizeBytes })
  await replaceLines(tx, revision.transcriptionId, lines)
}

export async function giveUpTranscript(
  query: Query,
  { resultKey, wordsKey }: StoredTranscript,
): Promise<void> {
  await giveUpObject(query, resultKey)
  await giveUpObject(query, wordsKey)
}
