import * as board from './operations/board.ts'
import * as clips from './operations/clips.ts'
import * as connectionTests from './operations/connection-tests.ts'
import * as dataProtection from './operations/data-protection.ts'
import * as handouts from './operations/handouts.ts'
import * as liveChat from './operations/live-chat.ts'
import * as liveFarewell from './operations/live-farewell.ts'
import * as liveModeration from './operations/live-moderation.ts'
import * as livePeople from './operations/live-people.ts'
import * as liveQuestions from './operations/live-questions.ts'
import * as liveRecording from './operations/live-recording.ts'
import * as liveText from './operations/live-text.ts'
import * as live from './operations/live.ts'
import * as management from './operations/management.ts'
import type { Operation } from './operations/operation.ts'
import * as open from './operations/public.ts'
import * as recordings from './operations/recordings.ts'
import * as reels from './operations/reels.ts'
import * as reviews from './operations/reviews.ts'
import * as rooms from './operations/rooms.ts'
import * as sandbox from './operations/sandbox.ts'
import * as sessions from './operations/sessions.ts'
import * as shares from './operations/shares.ts'
import * as transcriptions from './operations/transcriptions.ts'
import * as webhookManagement from './operations/webhook-management.ts'

/** All operations of the API under `/api/v1`, by operation id. */
export const API = {
  ...sessions,
  ...rooms,
  ...recordings,
  ...transcriptions,
  ...reviews,
  ...clips,
  ...reels,
  ...shares,
  ...handouts,
  ...connectionTests,
  ...management,
  ...webhookManagement,
  ...dataProtection,
  ...sandbox,
  ...live,
  ...liveChat,
  ...liveFarewell,
  ...liveModeration,
  ...livePeople,
  ...liveQuestions,
  ...liveRecording,
  ...liveText,
  ...board,
  ...open,
} as const satisfies Readonly<Record<string, Operation>>

/** The same operations by method and path: `GET /rooms/{room_id}`. */
export const OPERATIONS: Readonly<Record<string, Operation>> = Object.fromEntries(
  Object.values(API).map((each) => [`${each.method} ${each.path}`, each]),
)
