import { HealthBody, JwksBody } from '../public.ts'
import { operation, plain } from './operation.ts'

const ALIVE = { status: 'pass', version: '1', releaseId: '0.2.0' }
const CHECK = {
  status: 'pass',
  componentType: 'datastore',
  observedValue: 2,
  observedUnit: 'ms',
  time: '2030-11-21T01:00:00.000Z',
}

export const getHealth = operation({
  id: 'getHealth',
  method: 'GET',
  path: '/health',
  plane: 'public',
  tag: 'Public',
  summary: 'Whether the process answers',
  description: 'Touches nothing. Also at the root.',
  answers: { 200: plain('application/health+json', HealthBody) },
  example: {
    answer: { ...ALIVE, checks: {} },
  },
})

export const getReadiness = operation({
  id: 'getReadiness',
  method: 'GET',
  path: '/health/ready',
  plane: 'public',
  tag: 'Public',
  summary: 'Whether requests can be served',
  description:
    '503 without the database; `warn` when the media provider or the storage fails. Also at the root.',
  answers: {
    200: plain('application/health+json', HealthBody),
    503: plain('application/health+json', HealthBody),
  },
  example: {
    answer: { ...ALIVE, checks: { 'database:responseTime': [CHECK] } },
  },
})

export const getKeys = operation({
  id: 'getKeys',
  method: 'GET',
  path: '/.well-known/jwks.json',
  plane: 'public',
  tag: 'Public',
  summary: 'The public keys of the service',
  description: 'Also at the root.',
  answers: { 200: plain('application/jwk-set+json', JwksBody) },
  example: {
    answer: {
      keys: [
        {
          kty: 'EC',
          crv: 'P-256',
          x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
          y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
          kid: 'service-1',
          alg: 'ES256',
          use: 'sig',
        },
      ],
    },
  },
})
