import type { Operations } from './operation.ts'

const ALIVE = { status: 'pass', version: '1', releaseId: '0.1.0' }
const CHECK = {
  status: 'pass',
  componentType: 'datastore',
  observedValue: 2,
  observedUnit: 'ms',
  time: '2030-11-21T01:00:00.000Z',
}

export const PUBLIC_OPERATIONS: Operations = {
  'GET /health': {
    id: 'getHealth',
    summary: 'Whether the process answers',
    description: 'Touches nothing. Also at the root.',
    plainAnswer: { ...ALIVE, checks: {} },
  },
  'GET /health/ready': {
    id: 'getReadiness',
    summary: 'Whether requests can be served',
    description:
      '503 without the database; `warn` when the media provider or the storage fails. Also at the root.',
    plainAnswer: { ...ALIVE, checks: { 'database:responseTime': [CHECK] } },
  },
  'GET /.well-known/jwks.json': {
    id: 'getKeys',
    summary: 'The public keys of the service',
    description: 'Also at the root.',
    plainAnswer: {
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
}
