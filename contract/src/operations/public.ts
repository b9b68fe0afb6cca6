import { HealthBody, JwksBody } from '../public.ts'
import { operation, plain } from './operation.ts'

const ALIVE = { status: 'pass', version: '1', releaseId: '0.6.0-dev' }
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
  summary: 'Check that the process is alive',
  description:
    'A liveness probe. It checks nothing else and always returns 200 while the process runs. Also at `/health`.',
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
  summary: 'Check that the service can serve requests',
  description:
    'A readiness probe for load balancers. It returns 503 without the database. It returns `warn` with 200 when the media server or the storage fails. Also at `/health/ready`.',
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
  summary: 'Get the public keys of the service',
  description:
    'Returns the public keys that verify room tickets and the receipts of erasures. You need them only if you verify those yourself. They do not verify webhooks. Also at `/.well-known/jwks.json`.',
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
