import { BOARD_EVENTS, BoardBody, HelpAnswerBody, BoardEntryTokenBody } from '../board.ts'
import { operation, stream } from './operation.ts'
import { RoomParams } from './params.ts'
import { LAST_TEST, PARTICIPANT, ROOM, SESSION } from './samples.ts'

const BOARD: BoardBody = {
  now: '2030-11-21T01:06:00.000Z',
  expires_at: '2030-11-21T12:00:00.000Z',
  operator: { display_name: 'Operator Yamada' },
  rooms: [
    {
      id: ROOM.id,
      session: {
        name: SESSION.name,
        external_type: SESSION.external_type,
        external_id: SESSION.external_id,
        starts_at: SESSION.starts_at,
        ends_at: SESSION.ends_at,
        status: 'active',
      },
      people: [
        {
          identity: PARTICIPANT.id,
          participant_id: PARTICIPANT.id,
          role: 'panelist',
          display_name: PARTICIPANT.display_name,
          in_since: '2030-11-21T00:57:14.310Z',
          line: 'poor',
          last_test: LAST_TEST,
        },
      ],
      recording: { archive_mode: 'always', status: 'started' },
      presentation: null,
      help_requests: [
        {
          display_name: PARTICIPANT.display_name,
          note: null,
          requested_at: '2030-11-21T01:05:31.020Z',
        },
      ],
      alarms: [
        {
          code: 'HELP_REQUESTED',
          since: '2030-11-21T01:05:31.020Z',
          display_name: PARTICIPANT.display_name,
        },
      ],
      provider_inspector_url: null,
    },
  ],
  has_more: false,
}

export const listBoardRooms = operation({
  id: 'listBoardRooms',
  method: 'GET',
  path: '/board/rooms',
  plane: 'board',
  tag: 'Board',
  summary: 'Look at the Rooms that are on, or soon will be, with their alarms',
  description:
    'Rooms that can be entered now or within three hours, in the order of their start, at most 300; `has_more` when there are more. `since` of an alarm tells since when it has been so.',
  answers: { 200: BoardBody },
  example: {
    answer: BOARD,
  },
})

export const streamBoard = operation({
  id: 'streamBoard',
  method: 'GET',
  path: '/board/stream',
  plane: 'board',
  tag: 'Board',
  summary: 'Follow the Rooms of the board',
  description:
    'Server-sent events: first `board`, as `GET /board/rooms` answers it, then `rooms` with those that changed and the ids of those that are gone, within two seconds. Who was cut off comes again and begins anew. Ends when the link does.',
  answers: { 200: stream(BOARD_EVENTS) },
  isLong: true,
  example: {
    answer: {
      event: 'rooms',
      data: '{"now":"2030-11-21T01:06:01.000Z","changed":[],"gone":["019a2f6e-0d31-7c51-8f02-77c1d9b4e210"],"has_more":false}',
    },
  },
})

export const issuePass = operation({
  id: 'issuePass',
  method: 'POST',
  path: '/board/rooms/{room_id}/pass',
  plane: 'board',
  tag: 'Board',
  summary: 'Make the address by which the operator enters a Room as platform_observer',
  description:
    'Passes the same gate as any participant token. Holds for two hours, and never longer than the link that opened the board.',
  params: RoomParams,
  answers: { 201: BoardEntryTokenBody },
  example: {
    answer: {
      connect_url: `${ROOM.connect_url}#token=eyJhbGciOiJFUzI1NiJ9.eyJyb29tX2lkIjoiMDE5YSJ9.c2ln`,
      expires_at: '2030-11-21T03:06:00.000Z',
    },
  },
})

export const answerHelp = operation({
  id: 'answerHelp',
  method: 'POST',
  path: '/board/rooms/{room_id}/help/answer',
  plane: 'board',
  tag: 'Board',
  summary: 'Say that the calls for help of a Room are taken care of',
  description:
    'Kept as a RoomEvent `help.answered`. A call is also answered by an operator who enters the Room or writes in it.',
  params: RoomParams,
  answers: { 200: HelpAnswerBody },
  example: {
    answer: { answered: 1 },
  },
})
