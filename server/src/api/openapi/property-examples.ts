import { HANDOUT, ROOM, SESSION } from '@interview-room/contract/operations/samples.ts'
import type { Document } from './document.ts'

type Schema = Record<string, unknown>
type Examples = Readonly<Record<string, unknown>>

const VIDEO_FLOW = {
  bitrate_kbps: 480,
  packet_loss_ratio: 0.002,
  rtt_ms: 21,
  jitter_ms: 3,
  frame_rate: 15,
  width: 640,
  height: 480,
  freeze_count: 0,
  limited_by_cpu_sec: 0,
  limited_by_bandwidth_sec: 1.5,
}
const AUDIO_FLOW = {
  ...VIDEO_FLOW,
  bitrate_kbps: 32,
  frame_rate: null,
  width: null,
  height: null,
  freeze_count: null,
}
const FLOWS = { audio: AUDIO_FLOW, video: VIDEO_FLOW }
const CLIENT = {
  browser_name: 'Chrome',
  browser_version: '142.0.0.0',
  platform_name: 'Windows',
  platform_version: '11',
}

/** By schema: properties that the operations' examples leave out, or that belong to another form of the body. */
const MORE: Readonly<Record<string, Examples>> = {
  TriggerRequest: { room_id: ROOM.id },
  AdmissionCheckRequest: { access_token: SESSION.access_token },
  ConnectionTestReport: {
    failure_reason: 'aborted_by_user',
    incoming_capacity_kbps: 5200,
    samples: [],
  },
  EntryDevice: CLIENT,
  EntryRequest: { access_token: SESSION.access_token, name: 'P-07' },
  HandoutPatch: { file: HANDOUT.file_name, content_type: HANDOUT.content_type },
  ApiKeyRequest: { expires_at: '2031-11-20T00:00:00Z' },
  ApiKeyRotation: { expires_at: '2031-11-20T00:00:00Z' },
  ConnectionTestRequest: {
    stream_resolution: '640x480',
    stream_frame_rate: 15,
    record: false,
    expires_in_seconds: 86_400,
  },
  DataExportRequest: { cursor: 'ZoZk2p0sU1xYc9v7Q3n5dDE5YTJmODA', limit: 20 },
  ErasureRequest: { recordings: 'keep' },
  LegalHoldRequest: { external_type: 'User', external_id: '4711' },
  RoomRequest: {
    archive_mode: 'always',
    archive_resolution: '1280x720',
    stream_resolution: '640x480',
    stream_frame_rate: 15,
    transcription_language: 'ja-JP',
    transcription_service: 'engine_c',
  },
  RoomEventPayloadRequest: {
    is_private: false,
    purpose: 'recording',
    version: '2030-10-01',
    language: 'ja',
  },
  TokenKeyRequest: {
    allowed_roles: ['moderator', 'panelist'],
    not_before: '2030-11-20T00:00:00Z',
    not_after: '2031-11-20T00:00:00Z',
  },
  TrimRequest: { source: 'trim', trim_start_sec: 12.5, trim_end_sec: 3600 },
  WebhookEndpointRequest: { description: 'Production backend' },
  RetentionPatch: { chat_days: 180 },
  ReportedClient: CLIENT,
  ReportedConnectionTestDownlink: FLOWS,
  ReportedConnectionTestFlow: VIDEO_FLOW,
  ReportedConnectionTestTcp: FLOWS,
  ReportedConnectionTestUplink: FLOWS,
  SendMessage: {
    content_type: 'file',
    attachment_id: '0b8e4c1c-3a5e-4b0e-8a53-0c9a1d7e2f44',
  },
  SessionPatch: { name: SESSION.name },
  WebhookEndpointPatch: {
    url: 'https://backend.example.com/webhooks',
    description: 'Production backend',
    event_types: ['recording.status_changed'],
  },
  WebhookReplay: { until: '2030-11-21T02:00:00Z' },
}

/**
 * Gives every property of a request body an example: tools that make a request of the schema (Postman) send it
 * instead of making one up. What can only be refused has none.
 */
export function addPropertyExamples(document: Document): void {
  const schemas = (document.components['schemas'] ?? {}) as Record<string, Schema>

  function visit(schema: Schema, example: unknown, path: readonly string[] = []): void {
    const name = nameOf(schema)
    if (name !== undefined && path.includes(name)) return
    const {
      properties,
      items,
      anyOf = [],
      oneOf = [],
    } = name === undefined ? schema : (schemas[name] ?? {})
    for (const each of [...(anyOf as Schema[]), ...(oneOf as Schema[])]) visit(each, example, path)
    if (items !== undefined) visit(items as Schema, asList(example)[0], path)
    const given = { ...asObject(example), ...MORE[name ?? ''] }
    for (const [key, property] of Object.entries((properties ?? {}) as Record<string, Schema>)) {
      visit(property, given[key], [...path, name ?? ''])
      if (given[key] !== undefined && !isRefused(property)) property['examples'] ??= [given[key]]
    }
  }

  function isRefused(property: Schema): boolean {
    return 'not' in (schemas[nameOf(property) ?? ''] ?? property)
  }

  for (const operation of Object.values(document.paths).flatMap((methods) =>
    Object.values(methods),
  )) {
    for (const { schema, example } of Object.values(operation.requestBody?.content ?? {})) {
      visit(schema as Schema, example)
    }
  }
}

function nameOf({ $ref }: Schema): string | undefined {
  return typeof $ref === 'string' ? $ref.split('/').at(-1) : undefined
}

function asObject(value: unknown): Examples {
  return typeof value === 'object' && value !== null ? (value as Examples) : {}
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
