import type {
  ApiKeyBody,
  DownloadAccessBody,
  EventBody,
  TokenKeyBody,
  UsageBody,
} from '../management.ts'
import { RECORDING } from './samples.ts'
import { WEBHOOKS } from './webhooks.ts'

// What a tenant manages, as the examples of the API description show it.

export const EVENT: EventBody = { ...WEBHOOKS['recording.status_changed'].example }

export const API_KEY: ApiKeyBody = {
  key_id: 'key_5f0c2a9be1d34c7788aa01bc',
  note: 'Booking service, 2030',
  scopes: ['control'],
  created_at: '2030-11-01T00:00:00.000Z',
  expires_at: null,
  last_used_at: '2030-11-21T00:57:00.000Z',
  revoked_at: null,
}

export const TOKEN_KEY: TokenKeyBody = {
  kid: '2030-11',
  alg: 'ES256',
  public_jwk: {
    kty: 'EC',
    crv: 'P-256',
    x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
    y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
  },
  status: 'active',
  allowed_roles: ['moderator', 'observer', 'panelist'],
  not_before: null,
  not_after: null,
  created_at: '2030-11-01T00:00:00.000Z',
}

export const DOWNLOAD_ACCESS: DownloadAccessBody = {
  id: '48211',
  recording_id: RECORDING.id,
  processed_recording_id: null,
  transcription_id: null,
  issued_at: '2030-11-21T03:10:00.000Z',
  expires_at: '2030-11-21T04:10:00.000Z',
}

export const USAGE: UsageBody = {
  from: '2030-11-01T00:00:00.000Z',
  to: '2030-12-01T00:00:00.000Z',
  rooms_booked: 120,
  entries: 402,
  participant_minutes: 21_480.5,
  recordings: 118,
  recorded_minutes: 6_912.3,
  transcriptions: 118,
  connection_tests: 240,
  stored_bytes: 98_304_000_000,
}
