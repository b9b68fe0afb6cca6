import { Type } from 'typebox'
import { DateTime, oneOf } from './envelope.ts'

const HEALTH_STATUSES = ['pass', 'warn', 'fail'] as const

/** `application/health+json`, not enveloped. */
export const HealthBody = Type.Object({
  status: oneOf(HEALTH_STATUSES),
  version: Type.String({ description: 'Of the API.' }),
  releaseId: Type.String({ description: 'Of the software.' }),
  checks: Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    additionalProperties: {
      type: 'array',
      items: Type.Object({
        status: oneOf(HEALTH_STATUSES),
        componentType: oneOf(['datastore', 'component'] as const),
        observedValue: Type.Optional(Type.Number()),
        observedUnit: Type.Optional(oneOf(['ms'] as const)),
        output: Type.Optional(Type.String({ description: 'Why it does not pass.' })),
        time: DateTime,
      }),
    },
  }),
})

/** RFC 7517, not enveloped: public halves of the keys that room tickets are signed with. */
export const JwksBody = Type.Object({
  keys: Type.Array(
    Type.Object({
      kty: Type.String(),
      crv: Type.String(),
      x: Type.String(),
      y: Type.String(),
      kid: Type.String(),
      alg: Type.String(),
      use: oneOf(['sig'] as const),
    }),
  ),
})
