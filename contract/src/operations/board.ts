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
  summary: 'List the rooms on the board',
  description:
    'The board page calls it to show the rooms of a tenant, with people, recordings and alarms. It returns rooms that people can enter now or within three hours, in the order of their start, at most 1,000. Where there are more, it leaves out those without an alarm that start last. Follow changes with `GET /board/stream`.',
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
  summary: 'Follow the board',
  description:
    'Server-sent events. The first event, `board`, has everything that `GET /board/rooms` returns. Each `rooms` event has the rooms that changed and the ids of those that left, within two seconds. After an interruption, connect again; the stream starts over. It ends when the board token expires.',
  answers: { 200: stream(BOARD_EVENTS) },
  isLong: true,
  hasNoHead: true,
  example: {
    answer: {
      event: 'rooms',
      data: '{"now":"2030-11-21T01:06:01.000Z","changed":[],"gone":["019a2f6e-0d31-7c51-8f02-77c1d9b4e210"],"has_more":false}',
    },
  },
})

export const issueBoardEntryToken = operation({
  id: 'issueBoardEntryToken',
  method: 'POST',
  path: '/board/rooms/{room_id}/pass',
  plane: 'board',
  tag: 'Board',
  summary: 'Create a link into a room',
  description:
    'Returns an address that opens the room page for the operator as `platform_observer`. It is valid for two hours, and never longer than the board token. Entry is checked like that of any participant. It does not enter the room.',
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
  summary: 'Answer requests for help',
  description:
    'Marks the open requests for help of a room as answered, with the room event `help.answered`, which the room stream sends as `fact`. An operator who enters the room or writes there answers them as well. It sends no message to the room.',
  params: RoomParams,
  answers: { 200: HelpAnswerBody },
  example: {
    answer: { answered: 1 },
  },
})
