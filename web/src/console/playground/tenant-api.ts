import { EXTERNAL_REF_MAX, PAGE_LIMIT_MAX } from '@interview-room/contract/limits.ts'
import type { EntryHistoryBody, ParticipantBody } from '@interview-room/contract/participants.ts'
import type { RecordingBody } from '@interview-room/contract/recordings.ts'
import type {
  RoomBody,
  RoomOverviewBody,
  RoomRequest,
  SessionBody,
} from '@interview-room/contract/rooms.ts'
import type { Locale, Role } from '@interview-room/contract/vocabulary.ts'
import { useMemo } from 'react'
import { newId } from '../../live/new-id.ts'
import type { ConsoleApi } from '../console-api.ts'
import { useConsole } from '../console-context.ts'
import { failuresOf } from './recordings/failure-reasons.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
/** Rooms that begin within this period are listed. */
const LISTED_DAYS = { before: 2, after: 31 }
const TESTS_SHOWN = 10
const FULL_PAGE = { limit: PAGE_LIMIT_MAX }

interface RoomDetail {
  room: RoomBody
  session: SessionBody | null
  participants: readonly ParticipantBody[]
  entries: readonly EntryHistoryBody[]
}

type RoomSettings = Pick<
  RoomRequest,
  'archive_mode' | 'archive_resolution' | 'transcription_language' | 'transcription_service'
>

export interface Booking extends RoomSettings {
  name: string
  startsInMin: number
  minutes: number
}

export interface ListedRecording extends RecordingBody {
  /** The reason of a failed recording, if the room's log has it. */
  failure_reason: string | null
}

/** The demo tenant's own id for a person. */
export function externalIdOf({ role, name }: { role: Role; name: string }): string {
  return `${role}:${name}`.slice(0, EXTERNAL_REF_MAX)
}

/** The calls of the playground to the public API, as the demo tenant. */
export function useTenantApi(): TenantApi {
  const { api } = useConsole()
  return useMemo(() => createTenantApi(api), [api])
}

type TenantApi = ReturnType<typeof createTenantApi>

function createTenantApi(api: ConsoleApi) {
  return { ...roomCalls(api), ...recordingCalls(api), ...connectionTestCalls(api) }
}

function roomCalls(api: ConsoleApi) {
  return {
    /** The newest booking comes first. */
    rooms: async (): Promise<RoomOverviewBody[]> => {
      const nowMs = Date.now()
      const from = new Date(nowMs - LISTED_DAYS.before * DAY_MS).toISOString()
      const to = new Date(nowMs + LISTED_DAYS.after * DAY_MS).toISOString()
      const { items } = await api<'listRooms'>('GET', '/rooms', {
        query: { from, to, ...FULL_PAGE },
      })
      return items.toSorted((a, b) => b.created_at.localeCompare(a.created_at))
    },

    room: async (id: string): Promise<RoomDetail> => {
      const [room, participants, entries] = await Promise.all([
        api<'getRoom'>('GET', `/rooms/${id}`),
        api<'listParticipants'>('GET', `/rooms/${id}/participants`, { query: FULL_PAGE }),
        api<'listEntryHistories'>('GET', `/rooms/${id}/entry-histories`, { query: FULL_PAGE }),
      ])
      const session =
        room.session && (await api<'getSession'>('GET', `/sessions/${room.session.id}`))
      return { room, session, participants: participants.items, entries: entries.items }
    },

    book: ({ name, startsInMin, minutes, ...settings }: Booking): Promise<RoomBody> => {
      const startsMs = Date.now() + startsInMin * MINUTE_MS
      const session = {
        external_type: 'Slot',
        external_id: newId(),
        name,
        starts_at: new Date(startsMs).toISOString(),
        ends_at: new Date(startsMs + minutes * MINUTE_MS).toISOString(),
      }
      const body = { kind: 'interview' as const, ...settings, session }
      return api<'createRoom'>('POST', '/rooms', { body })
    },

    close: (id: string) =>
      api<'closeRoom'>('POST', `/rooms/${id}/close`, {
        body: { reason: 'closed in the playground' },
      }),
  }
}

function recordingCalls(api: ConsoleApi) {
  return {
    recordings: async (roomId: string): Promise<ListedRecording[]> => {
      const query = FULL_PAGE
      const { items } = await api<'listRecordings'>('GET', `/rooms/${roomId}/recordings`, { query })
      const reasons = items.some(({ status }) => status === 'failed')
        ? failuresOf((await failedRecordings(api, roomId)).items)
        : new Map<string, string>()
      return items.map((each) => ({ ...each, failure_reason: reasons.get(each.id) ?? null }))
    },

    /** Each URL adds a row to the access log, so the page asks for one only when a button is pressed. */
    url: (id: string) => api<'getRecordingDownloadUrl'>('GET', `/recordings/${id}/download-url`),
    remove: (id: string) => api<'deleteRecording'>('DELETE', `/recordings/${id}`),
  }
}

function failedRecordings(api: ConsoleApi, roomId: string) {
  const query = { event_type: 'recording.failed', ...FULL_PAGE }
  return api<'listRoomEvents'>('GET', `/rooms/${roomId}/room-events`, { query })
}

function connectionTestCalls(api: ConsoleApi) {
  return {
    connectionTests: async () =>
      (
        await api<'listConnectionTests'>('GET', '/connection-tests', {
          query: { limit: TESTS_SHOWN },
        })
      ).items,

    startConnectionTest: (test: { name: string; locale: Locale; record: boolean }) =>
      api<'startConnectionTest'>('POST', '/connection-tests', {
        body: {
          ...test,
          // The reference of the respondent who enters with this name, so that the moderator's page shows the result.
          external_type: 'User',
          external_id: externalIdOf({ role: 'panelist', name: test.name }),
        },
      }),
  }
}
