import type { BoardBody, BoardRoom } from '@interview-room/contract/board.ts'
import type { Config } from '../../platform/config/config.ts'
import { inspectorUrl } from '../booking/present-room.ts'
import { statusOf } from '../booking/session.ts'
import { alarmsOf, type RoomState } from './alarms.ts'
import type { BoardHolder } from './board-holder.ts'
import type { BoardRow } from './store.ts'

export function presentBoardRoom(
  config: Pick<Config, 'livekit'>,
  row: BoardRow,
  { now, estimates }: { now: Date; estimates: ReadonlyMap<string, Date> },
): BoardRoom {
  const { startsAt, endsAt } = row
  const facts = factsOf(row)
  return {
    id: row.id,
    session: {
      name: row.sessionName,
      external_type: row.externalType,
      external_id: row.externalId,
      starts_at: startsAt.toISOString(),
      ends_at: endsAt.toISOString(),
      // The query leaves out released rooms.
      status: statusOf({ startsAt, endsAt, cancelledAt: null, roomClosedAt: null }, now),
    },
    people: row.people.map((person) => ({
      identity: person.identity,
      participant_id: person.participantId,
      role: person.role,
      display_name: person.displayName,
      in_since: new Date(person.inSince).toISOString(),
      line: person.line,
      last_test: person.lastTest,
    })),
    recording: {
      archive_mode: row.archiveMode,
      status: row.recording?.status ?? null,
      composed_percent: row.recording?.composedPercent ?? null,
      estimated_available_at: estimates.get(row.recording?.id ?? '')?.toISOString() ?? null,
      missing_sec: row.recording?.missingSec ?? null,
    },
    presentation: row.presentation && {
      handout_id: row.presentation.handoutId,
      file_name: row.presentation.fileName,
    },
    help_requests: facts.helpRequests.map(({ displayName, note, requestedAt }) => ({
      display_name: displayName,
      note,
      requested_at: requestedAt.toISOString(),
    })),
    alarms: alarmsOf(facts, now).map(({ code, since, displayName }) => ({
      code,
      since: since.toISOString(),
      display_name: displayName,
    })),
    provider_inspector_url: inspectorUrl(config, row.mediaRoomSid),
  }
}

export function presentBoard(
  { displayName, expiresAt }: BoardHolder,
  { now, rooms, hasMore }: { now: Date; rooms: BoardRoom[]; hasMore: boolean },
): BoardBody {
  return {
    now: now.toISOString(),
    expires_at: expiresAt.toISOString(),
    operator: { display_name: displayName },
    rooms,
    has_more: hasMore,
  }
}

/** Converts a row to the input of the rules. Times inside lists arrive as text. */
function factsOf(row: BoardRow): RoomState {
  return {
    startsAt: row.startsAt,
    endsAt: row.endsAt,
    archiveMode: row.archiveMode,
    people: row.people.map((person) => ({
      ...person,
      inSince: new Date(person.inSince),
      poorSince: timeOf(person.poorSince),
    })),
    panelistLeftAt: row.panelistLeftAt,
    moderatorLeftAt: row.moderatorLeftAt,
    recording: row.recording && {
      status: row.recording.status,
      endedAt: timeOf(row.recording.endedAt),
      interruptedAt: timeOf(row.recording.interruptedAt),
      isBrokenOff: row.recording.isBrokenOff,
    },
    lacks: (row.recording?.lacks ?? []).map(({ identity, sinceMs }) => {
      return { identity, since: new Date(sinceMs) }
    }),
    helpRequests: row.helpRequests.map((each) => ({
      ...each,
      requestedAt: new Date(each.requestedAt),
    })),
  }
}

function timeOf(text: string | null): Date | null {
  return text === null ? null : new Date(text)
}
