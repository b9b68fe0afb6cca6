import { type Static, Type } from 'typebox'
import { DateTime, named, nullable, oneOf, Uuid } from './envelope.ts'
import { RETENTION_DAYS_MAX } from './limits.ts'

// Retention rules in the tenant's management API (scope `manage`), and their notice.

const STRICT = { additionalProperties: false } as const

export const RETENTION_KINDS = ['recordings', 'chat', 'handouts'] as const
export type RetentionKind = (typeof RETENTION_KINDS)[number]

const days = (description: string) =>
  nullable(Type.Integer({ minimum: 1, maximum: RETENTION_DAYS_MAX }), description)

export const RetentionBody = named(
  'Retention',
  Type.Object(
    {
      recordings_days: days(
        'Days from the end of a room until its recordings are deleted. Null: they stay until you delete them, or for `recordings_days_max` days.',
      ),
      chat_days: days(
        'Days from the end of a room until its chat is deleted. Null: it stays until you delete it.',
      ),
      handouts_days: days(
        'Days from the end of a room until its handouts are deleted. Null: they stay until you delete them.',
      ),
      recordings_days_max: nullable(
        Type.Integer({ minimum: 1 }),
        'Days from when a recording is available until the operator deletes its file, without a notice. Null without a limit.',
      ),
    },
    { description: 'How long the records of a room are kept.' },
  ),
)
export type RetentionBody = Static<typeof RetentionBody>

export const RetentionPatch = named(
  'RetentionPatch',
  Type.Object(
    {
      recordings_days: Type.Optional(
        days(
          'Days from the end of a room until its recordings are deleted; at most `recordings_days_max`. Null removes the rule.',
        ),
      ),
      chat_days: Type.Optional(
        days('Days from the end of a room until its chat is deleted. Null removes the rule.'),
      ),
      handouts_days: Type.Optional(
        days('Days from the end of a room until its handouts are deleted. Null removes the rule.'),
      ),
    },
    { ...STRICT, description: 'The rules to change. An absent member stays as it is.' },
  ),
)
export type RetentionPatch = Static<typeof RetentionPatch>

/** Data of `retention.notice`. */
const RetentionNoticeData = Type.Object(
  {
    kind: oneOf(RETENTION_KINDS),
    room_id: Uuid,
    delete_at: DateTime,
    days: Type.Integer({ minimum: 1, maximum: RETENTION_DAYS_MAX }),
  },
  STRICT,
)

/** Data per type of event that appears only in the feed. No webhook is sent for it. */
export const FEED_ONLY_DATA = { 'retention.notice': RetentionNoticeData }
export type FeedOnlyType = keyof typeof FEED_ONLY_DATA
export type FeedOnlyData = { [T in FeedOnlyType]: Static<(typeof FEED_ONLY_DATA)[T]> }
