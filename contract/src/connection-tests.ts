import { type Static, Type } from 'typebox'
import {
  BaselineFacts,
  ClientFacts,
  DeviceFacts,
  FAILURE,
  figure,
  LoadFacts,
  MEASURED,
  RecommendedFrameRate,
  RecommendedResolution,
  SummaryFacts,
  Warnings,
} from './connection-facts.ts'
import {
  ConnectionTestFailure,
  ConnectionTestResult,
  ConnectionTestStatus,
  Locale,
  RecordingStatus,
  StreamFrameRate,
  StreamResolution,
} from './enums.ts'
import {
  about,
  DateTime,
  dateTime,
  ExternalId,
  ExternalIdText,
  ExternalType,
  freeText,
  KEPT_CHARACTERS,
  named,
  NULLABLE_EXTERNAL_REF,
  nullable,
  PageQuery,
  string,
  uuid,
} from './envelope.ts'
import {
  CONNECTION_TEST_LIFE_DEFAULT_SEC,
  CONNECTION_TEST_LIFE_MAX_SEC,
  CONNECTION_TEST_LIFE_MIN_SEC,
  SESSION_NAME_MAX,
} from './limits.ts'
import { INSPECTOR } from './rooms.ts'

export {
  BaselineFacts,
  ClientFacts,
  DeviceFacts,
  LoadFacts,
  SummaryFacts,
} from './connection-facts.ts'
export {
  ConnectionTestConnected,
  ConnectionTestMediaBody,
  ConnectionTestPageBody,
  ConnectionTestRepeatBody,
  ConnectionTestReport,
  type ReportedLoad,
} from './connection-test-page.ts'

const STRICT = { additionalProperties: false } as const

/** Optional body of `POST /connection-tests`. The external reference is a pair, or absent. */
export const ConnectionTestRequest = nullable(
  named(
    'ConnectionTestRequest',
    Type.Object(
      {
        external_type: Type.Optional(ExternalType),
        external_id: Type.Optional(ExternalId),
        name: Type.Optional(
          nullable(
            freeText(SESSION_NAME_MAX, 0),
            `Name of the respondent, shown on the test page. ${KEPT_CHARACTERS}`,
          ),
        ),
        locale: Type.Optional(
          about(Locale, 'Language of the test page. By default that of the browser.'),
        ),
        stream_resolution: Type.Optional(
          about(StreamResolution, 'Resolution to measure with.', { default: '320x240' }),
        ),
        stream_frame_rate: Type.Optional(
          about(StreamFrameRate, 'Frame rate to measure with.', { default: 15 }),
        ),
        record: Type.Optional(
          about(
            Type.Boolean(),
            'Record camera and microphone during the measurement. Otherwise the page sends generated audio and video.',
            { default: false },
          ),
        ),
        expires_in_seconds: Type.Optional(
          Type.Integer({
            minimum: CONNECTION_TEST_LIFE_MIN_SEC,
            maximum: CONNECTION_TEST_LIFE_MAX_SEC,
            description: `How many seconds the link is valid. By default ${CONNECTION_TEST_LIFE_DEFAULT_SEC}, unless the operator has set another value.`,
          }),
        ),
      },
      { ...STRICT, description: 'The connection test to start.' },
    ),
  ),
)
export type ConnectionTestRequest = Static<typeof ConnectionTestRequest>

/** Query of `GET /connection-tests`. The external parameters must be sent together. */
export const ConnectionTestQuery = Type.Object(
  {
    external_type: Type.Optional(about(ExternalType, 'Only this reference. With `external_id`.')),
    external_id: Type.Optional(about(ExternalIdText, 'Only this reference. With `external_type`.')),
    status: Type.Optional(about(ConnectionTestStatus, 'Only this status.')),
    ...PageQuery,
  },
  STRICT,
)

/** Measured facts without a verdict, which is up to the tenant. A group is null until it is measured. */
export const ConnectionTestBody = named(
  'ConnectionTest',
  Type.Object(
    {
      id: uuid('Id of the connection test.'),
      room_id: uuid('Id of the room of the test. It is not an interview room.'),
      ...NULLABLE_EXTERNAL_REF,
      name: nullable(Type.String(), 'Name of the respondent. Null when unset.'),
      status: ConnectionTestStatus,
      connect_url: string('Link for the respondent. Anyone who has it can take the test.'),
      expires_at: dateTime('Until when the link is valid.'),
      started_at: nullable(DateTime, 'When the respondent started. Null before.'),
      completed_at: nullable(DateTime, 'When the test completed or failed. Null before.'),
      measured_sec: figure(MEASURED),
      client: nullable(ClientFacts, 'The browser. Null until the test starts.'),
      devices: nullable(DeviceFacts, 'The devices. Null until they are reported.'),
      baseline: nullable(BaselineFacts, 'Without load. Null until it is reported.'),
      load: nullable(LoadFacts, 'Under load. Null until it is reported.'),
      summary: nullable(SummaryFacts, 'In short. Null unless `status` is `completed`.'),
      failure_reason: nullable(ConnectionTestFailure, FAILURE),
      provider_inspector_url: nullable(Type.String(), INSPECTOR),
      recordings: Type.Array(
        named(
          'ConnectionTestRecording',
          Type.Object(
            {
              id: uuid('Id of the recording.'),
              status: RecordingStatus,
              duration_sec: figure('Length of the file in seconds.'),
            },
            { description: 'A recording of a connection test.' },
          ),
        ),
        { description: 'Recordings of the test. Empty unless `record` was true.' },
      ),
      created_at: dateTime('When the test was created.'),
    },
    { description: "A measurement of a respondent's browser, devices and connection." },
  ),
)
export type ConnectionTestBody = Static<typeof ConnectionTestBody>

/** The newest result of a person's connection tests, for people who prepare the interview. */
export const LastConnectionTest = named(
  'LastConnectionTest',
  Type.Object(
    {
      status: ConnectionTestResult,
      completed_at: dateTime('When the test ended.'),
      failure_reason: nullable(ConnectionTestFailure, FAILURE),
      mos: figure('Mean opinion score of the voice, 1 to 4.5.'),
      recommended_resolution: RecommendedResolution,
      recommended_frame_rate: RecommendedFrameRate,
      warnings: Warnings,
    },
    { description: "The newest result among a person's connection tests." },
  ),
)
export type LastConnectionTest = Static<typeof LastConnectionTest>

/** A respondent who has entered the room. `last_test` is null without a result. */
export const RespondentTest = named(
  'RespondentTest',
  Type.Object(
    {
      participant_id: uuid('Id of the participant.'),
      display_name: string('Name of the participant.'),
      last_test: nullable(LastConnectionTest, 'Newest result. Null when there is none.'),
    },
    { description: 'A respondent with the newest test result.' },
  ),
)
export type RespondentTest = Static<typeof RespondentTest>
