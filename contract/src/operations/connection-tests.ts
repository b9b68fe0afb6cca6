import {
  ConnectionTestBody,
  ConnectionTestConnected,
  ConnectionTestMediaBody,
  ConnectionTestPageBody,
  ConnectionTestQuery,
  ConnectionTestRepeatBody,
  ConnectionTestReport,
  ConnectionTestRequest,
} from '../connection-tests.ts'
import { listOf } from '../envelope.ts'
import { CONNECTION_TEST_MEASURED_MIN_SEC } from '../limits.ts'
import { NOTHING, operation, pageOf } from './operation.ts'
import { ConnectionTestParams } from './params.ts'
import { CONNECTION_TEST } from './samples.ts'

export const startConnectionTest = operation({
  id: 'startConnectionTest',
  method: 'POST',
  path: '/connection-tests',
  plane: 'control',
  tag: 'ConnectionTests',
  summary: 'Create a connection test',
  description:
    'Creates a test and returns `connect_url`. Send this link to the respondent before the interview. The page then measures browser, devices and connection. The webhook `connection_test.completed` reports the result. The service makes no judgement; you decide what is good enough.',
  body: ConnectionTestRequest,
  answers: { 201: ConnectionTestBody },
  refusals: ['RTC_PROVISION_FAILED'],
  isKeyed: true,
  hasLocation: true,
  example: {
    request: { external_type: 'User', external_id: '90210', name: 'P-07', locale: 'ja' },
    answer: {
      ...CONNECTION_TEST,
      status: 'pending',
      started_at: null,
      completed_at: null,
      measured_sec: null,
      client: null,
      devices: null,
      baseline: null,
      load: null,
      summary: null,
    },
  },
})

export const listConnectionTests = operation({
  id: 'listConnectionTests',
  method: 'GET',
  path: '/connection-tests',
  plane: 'control',
  tag: 'ConnectionTests',
  summary: 'List connection tests',
  description:
    'Returns your connection tests, newest first. Filter by external reference to see the tests of one person. Tests do not appear among rooms or sessions.',
  query: ConnectionTestQuery,
  answers: { 200: listOf(ConnectionTestBody) },
  example: {
    answer: pageOf(CONNECTION_TEST),
  },
})

export const getConnectionTest = operation({
  id: 'getConnectionTest',
  method: 'GET',
  path: '/connection-tests/{connection_test_id}',
  plane: 'control',
  tag: 'ConnectionTests',
  summary: 'Get a connection test',
  description:
    'Returns the test with everything measured so far. Groups are null until they are measured. The raw counters of the browser are never published.',
  params: ConnectionTestParams,
  answers: { 200: ConnectionTestBody },
  example: {
    answer: CONNECTION_TEST,
  },
})

export const getConnectionTestResult = operation({
  id: 'getConnectionTestResult',
  method: 'GET',
  path: '/connection-tests/{connection_test_id}/result',
  plane: 'control',
  tag: 'ConnectionTests',
  summary: 'Get the result of a connection test',
  description:
    'Returns the same as `GET /connection-tests/{connection_test_id}`, also before there is a result. Use either one.',
  params: ConnectionTestParams,
  answers: { 200: ConnectionTestBody },
  example: {
    answer: CONNECTION_TEST,
  },
})

export const getConnectionTestForSubject = operation({
  id: 'getConnectionTestForSubject',
  method: 'GET',
  path: '/connection-tests/{connection_test_id}/live',
  plane: 'room',
  tag: 'Participant plane',
  summary: 'Get a connection test as its respondent',
  description:
    'The test page calls it when it opens. Authenticate with the test ticket from `connect_url`. It returns the settings and, once there is one, the result. It does not start the test.',
  credential: 'test ticket',
  params: ConnectionTestParams,
  answers: { 200: ConnectionTestPageBody },
  example: {
    answer: {
      id: CONNECTION_TEST.id,
      status: 'pending',
      name: CONNECTION_TEST.name,
      locale: 'ja',
      stream_resolution: '320x240',
      stream_frame_rate: 15,
      record: false,
      expires_at: CONNECTION_TEST.expires_at,
      measure_for_sec: CONNECTION_TEST_MEASURED_MIN_SEC,
      measured_sec: null,
      devices: null,
      summary: null,
      failure_reason: null,
      can_repeat: false,
    },
  },
})

export const reportSubjectConnected = operation({
  id: 'reportSubjectConnected',
  method: 'POST',
  path: '/connection-tests/{connection_test_id}/live/connected',
  plane: 'room',
  tag: 'Participant plane',
  summary: 'Start or continue a connection test',
  description:
    'The test page calls it when the respondent starts, and repeats it while measuring. The response has two media tokens, one to publish and one to receive. A running test expires after five minutes without this call.',
  credential: 'test ticket',
  params: ConnectionTestParams,
  body: ConnectionTestConnected,
  answers: { 200: ConnectionTestMediaBody },
  refusals: ['VALIDATION_ERROR'],
  example: {
    request: { client: { platform_version: '15.1', is_mobile: false } },
    answer: {
      media: {
        url: 'wss://media.example.com',
        publisher_token: 'eyJhbGciOiJIUzI1NiJ9.e30.publish',
        subscriber_token: 'eyJhbGciOiJIUzI1NiJ9.e30.receive',
      },
    },
  },
})

export const reportConnectionTestResult = operation({
  id: 'reportConnectionTestResult',
  method: 'POST',
  path: '/connection-tests/{connection_test_id}/live/result',
  plane: 'room',
  tag: 'Participant plane',
  summary: 'Report the result of a connection test',
  description:
    'The test page calls it at the end. A completed test sends all measurements, over at least 15 seconds. A failed test sends its reason. The first result counts; later ones are ignored. `samples` are kept and never published.',
  credential: 'test ticket',
  params: ConnectionTestParams,
  body: ConnectionTestReport,
  // Up to 120 samples of up to 100 members each.
  bodyMax: { bytes: 1024 * 1024, members: 20_000 },
  answers: { 204: NOTHING },
  refusals: ['VALIDATION_ERROR'],
  example: {
    request: {
      status: 'completed',
      measured_sec: CONNECTION_TEST.measured_sec,
      devices: CONNECTION_TEST.devices,
      baseline: CONNECTION_TEST.baseline,
      load: CONNECTION_TEST.load,
    },
  },
})

export const repeatConnectionTest = operation({
  id: 'repeatConnectionTest',
  method: 'POST',
  path: '/connection-tests/{connection_test_id}/live/repeat',
  plane: 'room',
  tag: 'Participant plane',
  summary: 'Repeat a connection test',
  description:
    'Creates a new test of the same person with the same settings and the same expiry. The test page calls it when the person wants to try again. The result of the first test stays. Calling it again returns the same new test.',
  credential: 'test ticket',
  params: ConnectionTestParams,
  answers: { 201: ConnectionTestRepeatBody },
  refusals: ['VALIDATION_ERROR', 'RTC_PROVISION_FAILED'],
  example: {
    answer: { connect_url: CONNECTION_TEST.connect_url },
  },
})
