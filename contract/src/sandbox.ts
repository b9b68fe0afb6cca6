import { type Static, Type } from 'typebox'
import { Role } from './enums.ts'
import {
  about,
  ExternalId,
  ExternalType,
  named,
  nullable,
  string,
  text,
  Uuid,
  uuid,
} from './envelope.ts'
import { SANDBOX_ADVANCE_MAX_SEC, DISPLAY_NAME_MAX } from './limits.ts'
import { wordsOf } from './schema.ts'
import {
  CONNECTION_TEST_FAILURES,
  TRIM_FAILURES,
  RECORDING_FAILURES,
  TRANSCRIPTION_FAILURES,
} from './vocabulary.ts'
import type { WebhookType } from './webhooks.ts'

// Actions of a sandbox's tenant that replace people, media and engines.

const FAILURE_REASON_MAX = 64
const STRICT = { additionalProperties: false } as const

/** All that a sandbox triggers: every webhook type, with the possible values of its `failure_reason`, and an interview. */
export const SANDBOX_TRIGGERS = {
  'participant.entered': [],
  'recording.status_changed': RECORDING_FAILURES,
  'connection_test.completed': CONNECTION_TEST_FAILURES,
  'transcription.completed': TRANSCRIPTION_FAILURES,
  'processed_recording.status_changed': TRIM_FAILURES,
  'clip.status_changed': TRIM_FAILURES,
  'reel.status_changed': TRIM_FAILURES,
  'webhook.test': [],
  sample_interview: [],
} as const satisfies Record<WebhookType | 'sample_interview', readonly string[]>

export type SandboxTriggerType = keyof typeof SANDBOX_TRIGGERS

const TYPES = [
  'participant.entered',
  'recording.status_changed',
  'connection_test.completed',
  'transcription.completed',
  'processed_recording.status_changed',
  'clip.status_changed',
  'reel.status_changed',
  'webhook.test',
  'sample_interview',
] as const satisfies readonly SandboxTriggerType[]

const TriggerType = wordsOf('TriggerType', TYPES, {
  about: 'Type of a webhook that a sandbox triggers, or `sample_interview`.',
  'participant.entered': 'A simulated respondent enters.',
  'recording.status_changed': 'A simulated moderator records for a moment.',
  'connection_test.completed': 'A simulated browser takes a connection test.',
  'transcription.completed': 'A recording is made and transcribed.',
  'processed_recording.status_changed': 'A recording is made and trimmed.',
  'clip.status_changed': 'A recording is made, and a clip of it.',
  'reel.status_changed': 'A recording is made, and a reel of a clip of it.',
  'webhook.test': 'Nothing happens but the webhook.',
  sample_interview:
    'An interview of two minutes is there, with everything that the review page shows. A repeat gives the same one.',
})

const SimulatedRole = wordsOf('SimulatedRole', ['moderator', 'panelist', 'observer'] as const, {
  about: 'Role of a simulated person.',
  moderator: 'Leads the interview.',
  panelist: 'Is interviewed.',
  observer: 'Watches unseen.',
})

const SimulatedConsent = wordsOf('SimulatedConsent', ['given', 'declined'] as const, {
  about: 'What a simulated person answers when asked for consent.',
  given: 'Agrees.',
  declined: 'Does not agree.',
})

export const SandboxBody = named(
  'Sandbox',
  Type.Object(
    {
      triggers: Type.Array(
        named(
          'SandboxTriggerChoice',
          Type.Object(
            {
              type: TriggerType,
              failure_reasons: Type.Array(Type.String(), {
                description: 'The reasons with which it can be triggered. Empty: it never fails.',
              }),
            },
            { description: 'A webhook that can be triggered.' },
          ),
        ),
        { description: 'Every type of webhook.' },
      ),
    },
    { description: 'What your sandbox can do.' },
  ),
)
export type SandboxBody = Static<typeof SandboxBody>

export const SimulatedPersonRequest = named(
  'SimulatedPersonRequest',
  Type.Object(
    {
      role: SimulatedRole,
      name: about(text(DISPLAY_NAME_MAX), 'Name that others see.'),
      external_type: Type.Optional(ExternalType),
      external_id: Type.Optional(ExternalId),
      is_publishing: Type.Optional(
        about(
          Type.Boolean(),
          'Whether the person sends simulated audio and video. Observers never do.',
          { default: true },
        ),
      ),
      consent: Type.Optional(
        about(SimulatedConsent, 'Answer to every consent that is asked for.', { default: 'given' }),
      ),
    },
    { ...STRICT, description: 'Who enters.' },
  ),
)
export type SimulatedPersonRequest = Static<typeof SimulatedPersonRequest>

export const SimulatedPersonBody = named(
  'SimulatedPerson',
  Type.Object(
    {
      participant_id: uuid('Id of the participant. Use it to let the person leave.'),
      role: Role,
      display_name: string('Name that others see.'),
      is_publishing: Type.Boolean({
        description: 'Whether the person sends simulated audio and video.',
      }),
    },
    { description: 'A simulated person who is connected.' },
  ),
)
export type SimulatedPersonBody = Static<typeof SimulatedPersonBody>

export const TriggerRequest = named(
  'TriggerRequest',
  Type.Object(
    {
      type: TriggerType,
      failure_reason: Type.Optional(
        about(
          text(FAILURE_REASON_MAX),
          'What it shall fail with: a reason of this type. Absent: it succeeds.',
        ),
      ),
      room_id: Type.Optional(
        uuid(
          'Room in which it shall happen; it must admit people now. Absent: a new room. Not for connection tests, `webhook.test` and `sample_interview`.',
        ),
      ),
    },
    { ...STRICT, description: 'The webhook that you want to receive.' },
  ),
)
export type TriggerRequest = Static<typeof TriggerRequest>

export const TriggerBody = named(
  'Trigger',
  Type.Object(
    {
      type: TriggerType,
      failure_reason: nullable(Type.String(), 'What it fails with. Null: it succeeds.'),
      room_id: nullable(Uuid, 'Room in which it happens. Null for `webhook.test`.'),
      connection_test_id: nullable(Uuid, 'The test that was made. Null for other types.'),
    },
    { description: 'What was brought about. The webhook follows within seconds.' },
  ),
)
export type TriggerBody = Static<typeof TriggerBody>

export const ClockAdvance = named(
  'ClockAdvance',
  Type.Object(
    {
      advance_seconds: Type.Integer({
        minimum: 1,
        maximum: SANDBOX_ADVANCE_MAX_SEC,
        description: 'How far to advance, in seconds.',
      }),
    },
    { ...STRICT, description: 'How far the clock of the sandbox advances.' },
  ),
)

export const ClockAdvanceBody = named(
  'AdvancedClock',
  Type.Object(
    {
      advanced_seconds: Type.Integer({ description: 'How far it was advanced, in seconds.' }),
      sessions: Type.Integer({ description: 'How many sessions are earlier now.' }),
      connection_tests: Type.Integer({ description: 'How many connection tests are older now.' }),
    },
    { description: 'What advanced.' },
  ),
)
export type ClockAdvanceBody = Static<typeof ClockAdvanceBody>
