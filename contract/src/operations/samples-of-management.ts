import type { DownloadAccessBody } from '../access-log.ts'
import type { ApiKeyBody, EventBody, TokenKeyBody, UsageBody } from '../management.ts'
import type {
  AttemptOutcomeBody,
  WebhookDeliveryBody,
  WebhookEndpointBody,
  WebhookReplayProgressBody,
} from '../webhook-management.ts'
import { RECORDING } from './samples.ts'
import { WEBHOOKS } from './webhooks.ts'

// The managed resources of a tenant in the examples of the API description.

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
  clip_id: null,
  reel_id: null,
  transcription_id: null,
  purpose: 'download',
  api_key_id: null,
  viewer: { reference: 'researcher-12', token_id: '3f6c9d0e-review-12' },
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
  rooms_open: 14,
  stored_bytes: 98_304_000_000,
  limits: { requests_per_min: 600, rooms_open: null, stored_bytes: 500_000_000_000 },
}

export const WEBHOOK_ENDPOINT: WebhookEndpointBody = {
  id: '019a2e10-77c1-7aa0-8b1e-5c1d0a9e3f42',
  url: 'https://backend.example.com/webhooks/interviews',
  description: null,
  event_types: ['recording.status_changed', 'transcription.completed'],
  state: 'active',
  consecutive_failures: 0,
  next_probe_at: null,
  created_at: '2030-11-01T00:00:00.000Z',
}

export const WEBHOOK_REPLAY: WebhookReplayProgressBody = {
  id: '019a3420-0c11-7d20-9e4b-0d2a7b6c8f32',
  endpoint_id: WEBHOOK_ENDPOINT.id,
  status: 'running',
  type: null,
  since: '2030-11-21T00:00:00.000Z',
  until: null,
  events: 42000,
  events_queued: 11250,
  created_at: '2030-11-22T03:10:00.000Z',
  finished_at: null,
}

export const ATTEMPT_OUTCOME: AttemptOutcomeBody = {
  is_accepted: true,
  event_id: 'evt_019a30835c117f209e4b0d2a7b6c8f32',
  status: 200,
  error: null,
  duration_ms: 84,
}

export const WEBHOOK_DELIVERY: WebhookDeliveryBody = {
  id: '90212',
  endpoint_id: WEBHOOK_ENDPOINT.id,
  event_id: EVENT.id,
  type: EVENT.type,
  state: 'succeeded',
  attempts_made: 1,
  is_parked: false,
  last_status: 200,
  last_error: null,
  created_at: '2030-11-21T03:10:00.000Z',
  next_attempt_at: null,
  finished_at: '2030-11-21T03:10:01.000Z',
}
