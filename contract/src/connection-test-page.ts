import { type Static, type TSchema, Type } from 'typebox'
import {
  BaselineFacts,
  ClientFacts,
  DeviceFacts,
  FAILURE,
  figure,
  LoadFacts,
  MEASURED,
  SummaryFacts,
} from './connection-facts.ts'
import {
  ConnectionTestFailure,
  ConnectionTestResult,
  ConnectionTestStatus,
  Locale,
  StreamFrameRate,
  StreamResolution,
} from './enums.ts'
import { about, boolean, dateTime, named, nullable, string, uuid, WITHOUT_NUL } from './envelope.ts'
import { CONNECTION_TEST_SAMPLE_MEMBERS_MAX, CONNECTION_TEST_SAMPLES_MAX } from './limits.ts'

// The bodies that the page of a connection test reads and reports.

const STRICT = { additionalProperties: false } as const

/** The same facts in a report, without additional properties. */
function closed<T extends TSchema>(schema: T): T {
  return JSON.parse(JSON.stringify(schema), (_name, member: { type?: unknown } | null) =>
    member?.type === 'object' ? strictly(member) : member,
  ) as T
}

function strictly(member: { type?: unknown; title?: string }): object {
  const { title } = member
  return { ...member, ...STRICT, ...(title !== undefined && { title: `Reported${title}` }) }
}

/** The answer of `GET .../live`: the parts of a test that its page shows. */
export const ConnectionTestPageBody = named(
  'ConnectionTestPage',
  Type.Object(
    {
      id: uuid('Id of the connection test.'),
      status: ConnectionTestStatus,
      name: nullable(Type.String(), 'Name of the respondent. Null when unset.'),
      locale: nullable(Locale, 'Language of the page. Null to follow the browser.'),
      stream_resolution: about(StreamResolution, 'Resolution to measure with.'),
      stream_frame_rate: about(StreamFrameRate, 'Frame rate to measure with.'),
      record: boolean('Whether camera and microphone are recorded during the measurement.'),
      expires_at: dateTime('Until when the link is valid.'),
      measure_for_sec: Type.Number({ description: 'How many seconds to measure under load.' }),
      measured_sec: figure(MEASURED),
      devices: nullable(DeviceFacts, 'The devices. Null until they are reported.'),
      summary: nullable(SummaryFacts, 'In short. Null unless `status` is `completed`.'),
      failure_reason: nullable(ConnectionTestFailure, FAILURE),
      can_repeat: boolean('Whether the person may take the test again.'),
    },
    { description: 'A connection test as its page shows it.' },
  ),
)
export type ConnectionTestPageBody = Static<typeof ConnectionTestPageBody>

/**
 * 200 answer of `POST .../live/connected`. One connection publishes and the other receives it, so that both
 * directions are under load. The tokens are valid for the media room of this test.
 */
export const ConnectionTestMediaBody = named(
  'ConnectionTestMedia',
  Type.Object(
    {
      media: named(
        'ConnectionTestMediaAccess',
        Type.Object(
          {
            url: string('WebSocket address of the media server.'),
            publisher_token: string('Media token of the connection that publishes.'),
            subscriber_token: string('Media token of the connection that receives.'),
          },
          { description: 'How to connect to the media server.' },
        ),
      ),
    },
    { description: 'What the page needs to measure.' },
  ),
)
export type ConnectionTestMediaBody = Static<typeof ConnectionTestMediaBody>

/** 201 answer of `POST .../live/repeat`: the link to a new test of the same person. */
export const ConnectionTestRepeatBody = named(
  'ConnectionTestRepeat',
  Type.Object(
    { connect_url: string('Link of the new test.') },
    { description: 'A new test of the same person.' },
  ),
)
export type ConnectionTestRepeatBody = Static<typeof ConnectionTestRepeatBody>

/** Optional body of `POST /connection-tests/{connection_test_id}/live/connected`. */
export const ConnectionTestConnected = nullable(
  named(
    'ConnectionTestConnected',
    Type.Object(
      {
        client: Type.Optional(
          named(
            'ReportedClient',
            Type.Partial(ClientFacts, {
              ...STRICT,
              description: 'What the page knows about the browser.',
            }),
          ),
        ),
      },
      { ...STRICT, description: 'The respondent has opened the test.' },
    ),
  ),
)

/** A page that was opened before the service was updated does not know TCP. */
const ReportedLoad = named(
  'ConnectionTestLoad',
  Type.Object(
    {
      ...LoadFacts.properties,
      downlink_tcp: Type.Optional(LoadFacts.properties.downlink_tcp),
    },
    { description: 'The connection while it carried as much as an interview.' },
  ),
)
export type ReportedLoad = Static<typeof ReportedLoad>

/** One reading of the browser's counters. Every name states its unit. The readings are kept, and never published. */
const Sample = named(
  'ConnectionTestSample',
  Type.Unsafe<Record<string, number | null>>({
    type: 'object',
    propertyNames: { minLength: 1, maxLength: 64, pattern: WITHOUT_NUL },
    additionalProperties: nullable(Type.Number()),
    maxProperties: CONNECTION_TEST_SAMPLE_MEMBERS_MAX,
    description: 'One reading of the counters of the browser, by name.',
  }),
)

/**
 * Body of `POST /connection-tests/{connection_test_id}/live/result`, from the page of the test. A completed test
 * contains all measurements. A failed one contains its reason and the measurements up to then.
 */
export const ConnectionTestReport = named(
  'ConnectionTestReport',
  Type.Object(
    {
      status: ConnectionTestResult,
      failure_reason: Type.Optional(
        about(ConnectionTestFailure, 'Why it failed. Required when failed, not allowed otherwise.'),
      ),
      measured_sec: Type.Optional(
        Type.Number({
          minimum: 0,
          maximum: 3600,
          description:
            'Seconds in which media flowed during the counted measurement. Required when completed, and then at least 15.',
        }),
      ),
      devices: Type.Optional(
        about(closed(DeviceFacts), 'The device checks. Required when completed.'),
      ),
      baseline: Type.Optional(
        about(closed(BaselineFacts), 'Without load. Required when completed.'),
      ),
      load: Type.Optional(about(closed(ReportedLoad), 'Under load. Required when completed.')),
      incoming_capacity_kbps: Type.Optional(
        figure('Highest bitrate in kbps that came back under full load.'),
      ),
      samples: Type.Optional(
        Type.Array(Sample, {
          maxItems: CONNECTION_TEST_SAMPLES_MAX,
          description: 'Readings of the counters. Kept for support and never published.',
        }),
      ),
    },
    { ...STRICT, description: 'The result of a connection test.' },
  ),
)
export type ConnectionTestReport = Static<typeof ConnectionTestReport>
