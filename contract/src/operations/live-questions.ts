import { QuestionRequest, QuestionBody, QuestionChange } from '../questions.ts'
import { operation } from './operation.ts'
import { RoomParams, RoomQuestionParams } from './params.ts'
import { BY_ROLE } from './refusals.ts'
import { QUESTION } from './samples.ts'

export const addQuestion = operation({
  id: 'addQuestion',
  method: 'POST',
  path: '/rooms/{room_id}/live/questions',
  plane: 'room',
  tag: 'Participant plane',
  summary: 'Add a question for the moderator',
  description:
    'Adds a question to the queue of the moderator. For observers, operators and moderators; panelists never learn of it. The room stream sends it as `question`, and the snapshot has the newest 200. The log of the room records it as `question.added`. A repeat with the same id returns the first with 200. A person may add 20 a minute; one more is 429 with `Retry-After`.',
  params: RoomParams,
  body: QuestionRequest,
  answers: { 201: QuestionBody, 200: QuestionBody },
  refusals: [...BY_ROLE, 'IDEMPOTENCY_KEY_CONFLICT', 'RATE_LIMIT_EXCEEDED'],
  example: {
    request: { id: QUESTION.id, text: QUESTION.text },
    answer: QUESTION,
  },
})

export const changeQuestion = operation({
  id: 'changeQuestion',
  method: 'POST',
  path: '/rooms/{room_id}/live/questions/{question_id}/status',
  plane: 'room',
  tag: 'Participant plane',
  summary: 'Change the status of a question',
  description:
    'Says what became of a question. For moderators. The room stream sends it as `question`. The log of the room records it as `question.changed`. A repeat changes nothing.',
  ability: 'canModerate',
  params: RoomQuestionParams,
  body: QuestionChange,
  answers: { 200: QuestionBody },
  refusals: BY_ROLE,
  example: {
    request: { status: 'asked' },
    answer: { ...QUESTION, status: 'asked' },
  },
})
