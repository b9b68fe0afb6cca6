import { type Static, Type } from 'typebox'
import { about, dateTime, named, nullable, string, text, Uuid, uuid } from './envelope.ts'
import { QUESTION_TEXT_MAX } from './limits.ts'
import { wordsOf } from './schema.ts'
import { QUESTION_STATUSES, type Role } from './vocabulary.ts'

/** Roles that see the questions for the moderator. Panelists never learn of them. */
export const QUESTION_ROLES = [
  'moderator',
  'observer',
  'platform_observer',
] as const satisfies readonly Role[]

const QuestionStatus = wordsOf('QuestionStatus', QUESTION_STATUSES, {
  about: 'What the moderator did with a question.',
  open: 'Nothing yet.',
  asked: 'Asked the panelist.',
  later: 'Kept for later.',
  done: 'Settled.',
})

/** Body of `POST .../live/questions`. */
export const QuestionRequest = named(
  'QuestionRequest',
  Type.Object(
    {
      id: uuid('Id that you make for the question. Send the same id to repeat it safely.'),
      text: about(text(QUESTION_TEXT_MAX), 'The question, in one line.'),
    },
    { additionalProperties: false, description: 'A question for the moderator.' },
  ),
)
export type QuestionRequest = Static<typeof QuestionRequest>

/** Body of `POST .../live/questions/{question_id}/status`. */
export const QuestionChange = named(
  'QuestionChange',
  Type.Object(
    { status: QuestionStatus },
    { additionalProperties: false, description: 'What becomes of the question.' },
  ),
)

export const QuestionBody = named(
  'Question',
  Type.Object(
    {
      id: uuid('Id of the question.'),
      text: string('The question.'),
      status: QuestionStatus,
      participant_id: nullable(Uuid, 'Who added it. Null on the simple route.'),
      display_name: string('Name of that person.'),
      created_at: dateTime('When it was added.'),
    },
    { description: 'A question for the moderator.' },
  ),
)
export type QuestionBody = Static<typeof QuestionBody>
