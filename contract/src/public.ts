import { Type } from 'typebox'
import { dateTime, string } from './envelope.ts'
import { named, wordsOf } from './schema.ts'

const HealthStatus = wordsOf('HealthStatus', ['pass', 'warn', 'fail'] as const, {
  about: 'Result of a check.',
  pass: 'Everything works.',
  warn: 'Requests are served, but something does not work.',
  fail: 'Requests cannot be served.',
})

const ComponentType = wordsOf('HealthComponentType', ['datastore', 'component'] as const, {
  about: 'Kind of what was checked.',
  datastore: 'The database.',
  component: 'Another part, such as the media provider or the file storage.',
})

const Check = named(
  'HealthCheck',
  Type.Object(
    {
      status: HealthStatus,
      componentType: ComponentType,
      observedValue: Type.Optional(Type.Number({ description: 'What was measured.' })),
      observedUnit: Type.Optional(
        Type.Literal('ms', { description: 'Unit of `observedValue`: milliseconds.' }),
      ),
      output: Type.Optional(string('Why the check does not pass. Absent when it does.')),
      time: dateTime('When it was checked.'),
    },
    { description: 'One check.' },
  ),
)

/** `application/health+json`, not enveloped. */
export const HealthBody = named(
  'Health',
  Type.Object(
    {
      status: HealthStatus,
      version: string('Version of the API.'),
      releaseId: string('Version of the software.'),
      checks: Type.Unsafe<Record<string, unknown>>({
        type: 'object',
        description: 'The checks, by the name of what was checked.',
        additionalProperties: { type: 'array', items: Check },
      }),
    },
    { description: 'Health of the process.' },
  ),
)

/** RFC 7517, not enveloped: public halves of the keys that room tickets are signed with. */
export const JwksBody = named(
  'Jwks',
  Type.Object(
    {
      keys: Type.Array(
        named(
          'Jwk',
          Type.Object(
            {
              kty: string('Key type: `EC`.'),
              crv: string('Curve: `P-256`.'),
              x: string('X coordinate, in base64url.'),
              y: string('Y coordinate, in base64url.'),
              kid: string('Id of the key. Tokens name it in their header.'),
              alg: string('Algorithm: `ES256`.'),
              use: Type.Literal('sig', { description: 'For signatures.' }),
            },
            { description: 'A public key.' },
          ),
        ),
        { description: 'The keys that are in use.' },
      ),
    },
    { description: 'A JSON Web Key Set (RFC 7517).' },
  ),
)
