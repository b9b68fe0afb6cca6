import { type Static, type TSchema, Type } from 'typebox'
import {
  DateTime,
  ExternalId,
  freeText,
  nullable,
  oneOf,
  PageQuery,
  text,
  Uuid,
  WITHOUT_NUL,
} from './envelope.ts'
import {
  CONNECTION_TEST_LIFE_DEFAULT_SEC,
  CONNECTION_TEST_LIFE_MAX_SEC,
  CONNECTION_TEST_LIFE_MIN_SEC,
  CONNECTION_TEST_SAMPLE_MEMBERS_MAX,
  CONNECTION_TEST_SAMPLES_MAX,
  EXTERNAL_REF_MAX,
  SESSION_NAME_MAX,
} from './limits.ts'
import {
  CONNECTION_TEST_FAILURES,
  CONNECTION_TEST_STATUSES,
  CONNECTION_WARNINGS,
  DEVICE_RESULTS,
  LOCALES,
  RECORDING_STATUSES,
  STREAM_FRAME_RATES,
  STREAM_RESOLUTIONS,
  type StreamFrameRate,
} from './vocabulary.ts'

const STRICT = { additionalProperties: false } as const
const FrameRate = Type.Unsafe<StreamFrameRate>({ type: 'integer', enum: [...STREAM_FRAME_RATES] })
const ExternalText = text(EXTERNAL_REF_MAX)

/** Optional body of `POST /connection-tests`. The external reference is a pair, or absent. */
export const NewConnectionTest = nullable(
  Type.Object(
    {
      external_type: Type.Optional(ExternalText),
      external_id: Type.Optional(ExternalId),
      name: Type.Optional(nullable(freeText(SESSION_NAME_MAX, 0))),
      locale: Type.Optional(oneOf(LOCALES)),
      stream_resolution: Type.Optional(oneOf(STREAM_RESOLUTIONS)),
      stream_frame_rate: Type.Optional(FrameRate),
      record: Type.Optional(Type.Boolean()),
      expires_in_seconds: Type.Optional(
        Type.Integer({
          minimum: CONNECTION_TEST_LIFE_MIN_SEC,
          maximum: CONNECTION_TEST_LIFE_MAX_SEC,
          description: `Default ${CONNECTION_TEST_LIFE_DEFAULT_SEC}, unless the service is set up otherwise.`,
        }),
      ),
    },
    STRICT,
  ),
)
export type NewConnectionTest = Static<typeof NewConnectionTest>

/** Query of `GET /connection-tests`; the external parameters come as a pair. */
export const ConnectionTestQuery = Type.Object(
  {
    external_type: Type.Optional(ExternalText),
    external_id: Type.Optional(ExternalText),
    status: Type.Optional(oneOf(CONNECTION_TEST_STATUSES)),
    ...PageQuery,
  },
  STRICT,
)

const Text = nullable(Type.String({ maxLength: 64, pattern: WITHOUT_NUL }))
/** The upper bound is far beyond any measurement, and exact in every notation. */
const Number = nullable(Type.Number({ minimum: 0, maximum: 1_000_000_000_000 }))
const Whole = nullable(Type.Integer({ minimum: 0, maximum: 2_147_483_647 }))
const Ratio = nullable(Type.Number({ minimum: 0, maximum: 1 }))

const Spread = Type.Object({ avg: Number, max: Number })

/** One direction of one medium under load. */
const Flow = Type.Object({
  bitrate_kbps: Number,
  packet_loss_ratio: Ratio,
  rtt_ms: Number,
  jitter_ms: Number,
  frame_rate: Number,
  width: Whole,
  height: Whole,
  freeze_count: Whole,
  limited_by_cpu_sec: Number,
  limited_by_bandwidth_sec: Number,
})

export const ClientFacts = Type.Object({
  browser_name: Text,
  browser_version: Text,
  platform_name: Text,
  platform_version: Text,
  is_mobile: nullable(Type.Boolean()),
})

export const DeviceFacts = Type.Object({
  camera: oneOf(DEVICE_RESULTS),
  microphone: oneOf(DEVICE_RESULTS),
  speaker: oneOf(DEVICE_RESULTS),
})

export const BaselineFacts = Type.Object({
  signaling: Type.Object({ connected: Type.Boolean(), connect_ms: Number }),
  media: Type.Object({
    connected: Type.Boolean(),
    connect_ms: Number,
    protocol: Text,
    candidate_type: Text,
  }),
  rtt_ms: Spread,
  jitter_ms: Spread,
})

/** The way down over TCP, after the counted part. Its flows are null where nothing came. */
const TcpFacts = Type.Object({
  connected: Type.Boolean(),
  /** From leaving UDP until media came again. */
  connect_ms: Number,
  audio: nullable(Flow),
  video: nullable(Flow),
})

export const LoadFacts = Type.Object({
  uplink: Type.Object({ audio: nullable(Flow), video: nullable(Flow) }),
  downlink: Type.Object({ audio: nullable(Flow), video: nullable(Flow) }),
  /** Null where the media server does not offer TCP besides the UDP that was used. */
  downlink_tcp: nullable(TcpFacts),
  available_outgoing_kbps: Number,
})

export const SummaryFacts = Type.Object({
  audio: Type.Object({ mos: Number }),
  video: Type.Object({
    recommended_resolution: nullable(oneOf(STREAM_RESOLUTIONS)),
    recommended_frame_rate: nullable(FrameRate),
    limitation: Text,
  }),
  packet_loss_ratio: Ratio,
  rtt_ms: Number,
  jitter_ms: Number,
  uplink_kbps: Number,
  downlink_kbps: Number,
  warnings: Type.Array(oneOf(CONNECTION_WARNINGS)),
})
export type ClientFacts = Static<typeof ClientFacts>
export type DeviceFacts = Static<typeof DeviceFacts>
export type BaselineFacts = Static<typeof BaselineFacts>
export type LoadFacts = Static<typeof LoadFacts>
export type SummaryFacts = Static<typeof SummaryFacts>

/** Facts, no verdict: judging them is the tenant's. Groups are null until they are measured. */
export const ConnectionTestBody = Type.Object({
  id: Uuid,
  room_id: Uuid,
  external_type: nullable(Type.String()),
  external_id: nullable(Type.String()),
  name: nullable(Type.String()),
  status: oneOf(CONNECTION_TEST_STATUSES),
  connect_url: Type.String(),
  expires_at: DateTime,
  started_at: nullable(DateTime),
  completed_at: nullable(DateTime),
  measured_sec: Number,
  client: nullable(ClientFacts),
  devices: nullable(DeviceFacts),
  baseline: nullable(BaselineFacts),
  load: nullable(LoadFacts),
  summary: nullable(SummaryFacts),
  failure_reason: nullable(oneOf(CONNECTION_TEST_FAILURES)),
  provider_inspector_url: nullable(Type.String()),
  recordings: Type.Array(
    Type.Object({ id: Uuid, status: oneOf(RECORDING_STATUSES), duration_sec: Number }),
  ),
  created_at: DateTime,
})
export type ConnectionTestBody = Static<typeof ConnectionTestBody>

/** The newest result of somebody's connection tests, for those who prepare the interview. */
export const LastConnectionTest = Type.Object({
  status: oneOf(['completed', 'failed'] as const),
  completed_at: DateTime,
  failure_reason: nullable(oneOf(CONNECTION_TEST_FAILURES)),
  mos: Number,
  recommended_resolution: nullable(oneOf(STREAM_RESOLUTIONS)),
  recommended_frame_rate: nullable(FrameRate),
  warnings: Type.Array(oneOf(CONNECTION_WARNINGS)),
})
export type LastConnectionTest = Static<typeof LastConnectionTest>

/** A respondent whom the room has seen; `last_test` is null without a result. */
export const RespondentTest = Type.Object({
  participant_id: Uuid,
  display_name: Type.String(),
  last_test: nullable(LastConnectionTest),
})
export type RespondentTest = Static<typeof RespondentTest>

/** The same facts as they are reported: nothing besides them. */
function closed<T extends TSchema>(schema: T): T {
  return JSON.parse(JSON.stringify(schema), (_name, member: { type?: unknown } | null) =>
    member?.type === 'object' ? { ...member, ...STRICT } : member,
  ) as T
}

/** What the page of a test shows of it: the answer of `GET .../live`. */
export const ConnectionTestPageBody = Type.Object({
  id: Uuid,
  status: oneOf(CONNECTION_TEST_STATUSES),
  name: nullable(Type.String()),
  locale: nullable(oneOf(LOCALES)),
  stream_resolution: oneOf(STREAM_RESOLUTIONS),
  stream_frame_rate: FrameRate,
  /** Camera and microphone are recorded while it runs. */
  record: Type.Boolean(),
  expires_at: DateTime,
  /** How long the page is to measure what an interview sends. */
  measure_for_sec: Type.Number(),
  measured_sec: Number,
  devices: nullable(DeviceFacts),
  summary: nullable(SummaryFacts),
  failure_reason: nullable(oneOf(CONNECTION_TEST_FAILURES)),
  /** The person may take the test again. */
  can_repeat: Type.Boolean(),
})
export type ConnectionTestPageBody = Static<typeof ConnectionTestPageBody>

/**
 * 200 answer of `POST .../live/connected`: one connection publishes, the other receives it, so that
 * both directions of the line are under load. The tokens are good for the media room of this test.
 */
export const ConnectionTestMediaBody = Type.Object({
  media: Type.Object({
    url: Type.String(),
    publisher_token: Type.String(),
    subscriber_token: Type.String(),
  }),
})
export type ConnectionTestMediaBody = Static<typeof ConnectionTestMediaBody>

/** 201 answer of `POST .../live/repeat`: where the same person takes the test again. */
export const ConnectionTestRepeatBody = Type.Object({ connect_url: Type.String() })
export type ConnectionTestRepeatBody = Static<typeof ConnectionTestRepeatBody>

/** Optional body of `POST /connection-tests/{connection_test_id}/live/connected`. */
export const ConnectionTestConnected = nullable(
  Type.Object({ client: Type.Optional(Type.Partial(ClientFacts, STRICT)) }, STRICT),
)

/** A page that was opened before the service was updated does not know of TCP. */
const ReportedLoad = Type.Object({
  ...LoadFacts.properties,
  downlink_tcp: Type.Optional(LoadFacts.properties.downlink_tcp),
})
export type ReportedLoad = Static<typeof ReportedLoad>

/** One reading of the browser's counters; every name says its unit. Kept, and never published. */
const Sample = Type.Unsafe<Record<string, number | null>>({
  type: 'object',
  propertyNames: { minLength: 1, maxLength: 64, pattern: WITHOUT_NUL },
  additionalProperties: nullable(Type.Number()),
  maxProperties: CONNECTION_TEST_SAMPLE_MEMBERS_MAX,
})

/**
 * Body of `POST /connection-tests/{connection_test_id}/live/result`, from the page of the test. A
 * completed test brings all measurements, a failed one its reason and what was measured until then.
 */
export const ConnectionTestReport = Type.Object(
  {
    status: oneOf(['completed', 'failed'] as const),
    failure_reason: Type.Optional(oneOf(CONNECTION_TEST_FAILURES)),
    measured_sec: Type.Optional(Type.Number({ minimum: 0, maximum: 3600 })),
    devices: Type.Optional(closed(DeviceFacts)),
    baseline: Type.Optional(closed(BaselineFacts)),
    load: Type.Optional(closed(ReportedLoad)),
    /** What came back at most while the line was filled; `load` tells of an interview's share of it. */
    incoming_capacity_kbps: Type.Optional(Number),
    samples: Type.Optional(Type.Array(Sample, { maxItems: CONNECTION_TEST_SAMPLES_MAX })),
  },
  STRICT,
)
export type ConnectionTestReport = Static<typeof ConnectionTestReport>
