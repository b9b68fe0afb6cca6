import type {
  CaptionBody,
  LiveTextBody,
  LiveTranscript,
} from '@interview-room/contract/live-text.ts'
import type { Role } from '@interview-room/contract/vocabulary.ts'
import type { Query } from '../../../platform/db/db.ts'
import { findObservation, readConsentTerms } from '../../people/find-consent.ts'
import { findAudience, listTexts, listTextsById, listTextsOf } from './live-text-store.ts'
import { isHidden, readersOf, type StoredText } from './live-text.ts'

/** Texts in one answer to somebody inside. */
const PAGE = 200

interface TextPage {
  texts: readonly StoredText[]
  /** `seq` of the last text. */
  position: bigint
  hasMore: boolean
}

/** Texts of a room after this position, oldest first. */
export async function readTexts(
  query: Query,
  { limit, ...page }: { roomId: string; after: bigint; onlyObservable: boolean; limit: number },
): Promise<TextPage> {
  const found = await listTexts(query, { ...page, limit: limit + 1 })
  const texts = found.slice(0, limit)
  return { texts, position: texts.at(-1)?.seq ?? page.after, hasMore: found.length > limit }
}

/** Texts of a room after this position, oldest first, as this role may read them. */
export async function readTranscript(
  query: Query,
  { roomId, role }: { roomId: string; role: Role },
  after: bigint,
): Promise<TextPage> {
  if (!(await mayRead(query, { roomId, role }))) {
    return { texts: [], position: after, hasMore: false }
  }
  return readTexts(query, { roomId, after, onlyObservable: isHidden(role), limit: PAGE })
}

export function presentTranscript(
  { texts, position, hasMore }: TextPage,
  cursorOf: (position: bigint) => string,
): LiveTranscript {
  return {
    items: texts.map((text) => presentText(text)),
    cursor: cursorOf(position),
    has_more: hasMore,
  }
}

/** True if this role may read what is said in a room, apart from what people have agreed to. */
export async function isLiveTextFor(
  query: Query,
  { roomId, role }: { roomId: string; role: Role },
): Promise<boolean> {
  const audience = (await findAudience(query, roomId)) ?? 'off'
  return readersOf(audience, { isObserved: true }).includes(role)
}

/** Hidden roles read nothing while somebody present has not agreed to be observed. */
async function mayRead(
  query: Query,
  { roomId, role }: { roomId: string; role: Role },
): Promise<boolean> {
  if (!(await isLiveTextFor(query, { roomId, role }))) return false
  if (!isHidden(role)) return true
  const terms = await readConsentTerms(query, roomId)
  return (await findObservation(query, roomId, terms)).isOpen
}

/** Texts of what these people said in a room, oldest first. */
export async function readTextsOf(
  query: Query,
  whose: { roomId: string; identities: readonly string[] },
): Promise<LiveTextBody[]> {
  return (await listTextsOf(query, whose)).map((text) => presentText(text))
}

/** Final texts as the event that announces them, by id. */
export async function readCaptions(
  query: Query,
  texts: { roomId: string; ids: readonly string[] },
): Promise<Map<string, CaptionBody>> {
  const found = texts.ids.length === 0 ? [] : await listTextsById(query, texts)
  return new Map(found.map((text) => [text.id, presentCaption(text)]))
}

function presentCaption(text: StoredText): CaptionBody {
  return {
    participant_id: text.participantId,
    identity: text.identity,
    segment: text.segment,
    text: text.text,
    final: true,
    language: text.language,
    is_translation: text.isTranslation,
  }
}

function presentText(text: StoredText): LiveTextBody {
  return {
    participant_id: text.participantId,
    identity: text.identity,
    display_name: text.displayName,
    segment: text.segment,
    text: text.text,
    language: text.language,
    is_translation: text.isTranslation,
    started_at: text.startedAt.toISOString(),
    ended_at: text.endedAt.toISOString(),
  }
}
