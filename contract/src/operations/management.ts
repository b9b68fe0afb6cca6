import { Type } from 'typebox'
import { AccessLogQuery, DownloadAccessBody } from '../access-log.ts'
import { listOf } from '../envelope.ts'
import {
  ApiKeyBody,
  ApiKeyRotation,
  EventBody,
  EventQuery,
  IssuedApiKeyBody,
  ApiKeyRequest,
  TokenKeyRequest,
  TokenKeyBody,
  TokenKeyPatch,
  UsageBody,
  UsageQuery,
} from '../management.ts'
import { NOTHING, operation, pageOf } from './operation.ts'
import { ListQuery } from './params.ts'
import { API_KEY, DOWNLOAD_ACCESS, EVENT, TOKEN_KEY, USAGE } from './samples-of-management.ts'

const ApiKeyParams = Type.Object({
  key_id: Type.String({
    pattern: '^[A-Za-z0-9_-]{1,64}$',
    description: 'Public part of the API key.',
    examples: [API_KEY.key_id],
  }),
})
const TokenKeyParams = Type.Object({
  kid: Type.String({
    pattern: '^[\\x21-\\x7e]{1,128}$',
    description: 'Name of the token key.',
    examples: [TOKEN_KEY.kid],
  }),
})

export const listEvents = operation({
  id: 'listEvents',
  method: 'GET',
  path: '/events',
  plane: 'control',
  tag: 'Extensions',
  summary: 'Read the event feed',
  description:
    'Returns your events in the order in which they were committed, oldest first. Each has the content of its webhook, also if you have no endpoint. Poll it instead of receiving webhooks, or to catch up: remember the id of the last event that you processed and send it as `after`. An event never appears before one that you have already read. Events are kept for 30 days; an older id in `after` is 400. `retention.notice` is in the feed alone: it announces what retention will delete (`PATCH /retention`).',
  query: EventQuery,
  answers: { 200: listOf(EventBody) },
  refusals: ['INVALID_REQUEST'],
  example: { answer: pageOf(EVENT) },
})

export const listApiKeys = operation({
  id: 'listApiKeys',
  method: 'GET',
  path: '/api-keys',
  plane: 'control',
  scope: 'manage',
  tag: 'Extensions',
  summary: 'List API keys',
  description:
    'Returns your API keys without their secrets, oldest first, revoked and expired ones included.',
  query: ListQuery,
  answers: { 200: listOf(ApiKeyBody) },
  example: { answer: pageOf(API_KEY) },
})

export const issueApiKey = operation({
  id: 'issueApiKey',
  method: 'POST',
  path: '/api-keys',
  plane: 'control',
  scope: 'manage',
  tag: 'Extensions',
  summary: 'Issue an API key',
  description:
    'Issues one more key beside the others, with any scopes: whoever has a `manage` key can give itself `control`. The answer is the only time that you see the secret, so a repeat issues another key; it takes no Idempotency-Key.',
  body: ApiKeyRequest,
  answers: { 201: IssuedApiKeyBody },
  refusals: ['VALIDATION_ERROR'],
  hasLocation: true,
  example: {
    request: { note: 'Booking service, 2030', scopes: ['control'] },
    answer: { ...API_KEY, last_used_at: null, api_key: `${API_KEY.key_id}.Jx3…` },
  },
})

export const getApiKey = operation({
  id: 'getApiKey',
  method: 'GET',
  path: '/api-keys/{key_id}',
  plane: 'control',
  scope: 'manage',
  tag: 'Extensions',
  summary: 'Get an API key',
  description: 'Returns the key without its secret. Use it to see when it was last used.',
  params: ApiKeyParams,
  answers: { 200: ApiKeyBody },
  example: { answer: API_KEY },
})

export const rotateApiKey = operation({
  id: 'rotateApiKey',
  method: 'POST',
  path: '/api-keys/{key_id}/rotate',
  plane: 'control',
  scope: 'manage',
  tag: 'Extensions',
  summary: 'Rotate an API key',
  description:
    'Issues a key with the note and the scopes of this one, and lets this one end after `overlap_seconds`: deploy the new key meanwhile. The answer is the only time that you see the secret, so a repeat issues another key; it takes no Idempotency-Key. A key may rotate itself. A key that was revoked or has expired cannot be rotated.',
  params: ApiKeyParams,
  body: ApiKeyRotation,
  answers: { 201: IssuedApiKeyBody },
  refusals: ['VALIDATION_ERROR'],
  hasLocation: true,
  example: {
    request: { overlap_seconds: 86_400 },
    answer: { ...API_KEY, last_used_at: null, api_key: `${API_KEY.key_id}.Jx3…` },
  },
})

export const revokeApiKey = operation({
  id: 'revokeApiKey',
  method: 'DELETE',
  path: '/api-keys/{key_id}',
  plane: 'control',
  makesSafe: true,
  scope: 'manage',
  tag: 'Extensions',
  summary: 'Revoke an API key',
  description:
    'The key is refused everywhere within a second, permanently. It stays in the list. A key may revoke itself; if none with the scope `manage` is left, ask the operator for one. A repeat returns 204.',
  params: ApiKeyParams,
  answers: { 204: NOTHING },
})

export const listTokenKeys = operation({
  id: 'listTokenKeys',
  method: 'GET',
  path: '/token-keys',
  plane: 'control',
  scope: 'manage',
  tag: 'Extensions',
  summary: 'List token keys',
  description:
    'Returns the public keys that verify your participant tokens, oldest first. Keys that you publish at an address of your own are not in the list.',
  query: ListQuery,
  answers: { 200: listOf(TokenKeyBody) },
  example: { answer: pageOf(TOKEN_KEY) },
})

export const registerTokenKey = operation({
  id: 'registerTokenKey',
  method: 'POST',
  path: '/token-keys',
  plane: 'control',
  scope: 'manage',
  tag: 'Extensions',
  summary: 'Register a token key',
  description:
    'Registers one more public key. Tokens of all active keys are accepted, so rotate by registering the new key, signing with it, and retiring the old one. The role `platform_observer` is reserved for the operator.',
  body: TokenKeyRequest,
  answers: { 201: TokenKeyBody },
  refusals: ['VALIDATION_ERROR'],
  isKeyed: true,
  hasLocation: true,
  example: {
    request: { kid: TOKEN_KEY.kid, alg: TOKEN_KEY.alg, public_jwk: TOKEN_KEY.public_jwk },
    answer: TOKEN_KEY,
  },
})

export const getTokenKey = operation({
  id: 'getTokenKey',
  method: 'GET',
  path: '/token-keys/{kid}',
  plane: 'control',
  scope: 'manage',
  tag: 'Extensions',
  summary: 'Get a token key',
  description: 'Returns a registered public key and its status.',
  params: TokenKeyParams,
  answers: { 200: TokenKeyBody },
  example: { answer: TOKEN_KEY },
})

export const patchTokenKey = operation({
  id: 'patchTokenKey',
  method: 'PATCH',
  path: '/token-keys/{kid}',
  plane: 'control',
  scope: 'manage',
  tag: 'Extensions',
  summary: 'Retire or revoke a token key',
  description:
    'Ends the use of a key. New entries with its tokens are refused within a second. People in a room stay there; ban them or close the room if a key was exposed.',
  params: TokenKeyParams,
  body: TokenKeyPatch,
  answers: { 200: TokenKeyBody },
  example: { request: { status: 'retired' }, answer: { ...TOKEN_KEY, status: 'retired' } },
})

export const listDownloadAccesses = operation({
  id: 'listDownloadAccesses',
  method: 'GET',
  path: '/access-log',
  plane: 'control',
  scope: 'manage',
  tag: 'Extensions',
  summary: 'Read the access log of downloads',
  description:
    'Returns the download URLs of recordings, processed recordings, clips and transcripts that were issued, newest first. The entry says that a URL was issued, not that someone used it.',
  query: AccessLogQuery,
  answers: { 200: listOf(DownloadAccessBody) },
  example: { answer: pageOf(DOWNLOAD_ACCESS) },
})

export const getUsage = operation({
  id: 'getUsage',
  method: 'GET',
  path: '/usage',
  plane: 'control',
  scope: 'manage',
  tag: 'Extensions',
  summary: 'Get your usage',
  description:
    'Returns how much you used in a period, such as a month, and what is stored now. Deleted recordings are not counted. Someone who is still connected counts up to now.',
  query: UsageQuery,
  answers: { 200: UsageBody },
  refusals: ['VALIDATION_ERROR'],
  example: { answer: USAGE },
})
