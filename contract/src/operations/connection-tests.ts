import { CONNECTION_TEST_MEASURED_MIN_SEC } from '../limits.ts'
import { type Operations, pageOf } from './operation.ts'
import { CONNECTION_TEST } from './samples.ts'

export const CONNECTION_TEST_OPERATIONS: Operations = {
  'POST /connection-tests': {
    id: 'startConnectionTest',
    summary: 'Start a connection test',
    description:
      'The person under test opens `connect_url`, which holds the ticket to this test alone.',
    refusals: ['RTC_PROVISION_FAILED'],
    isKeyed: true,
    hasLocation: true,
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
  'GET /connection-tests': {
    id: 'listConnectionTests',
    summary: 'List connection tests, newest first',
    answer: pageOf(CONNECTION_TEST),
  },
  'GET /connection-tests/{connection_test_id}': {
    id: 'getConnectionTest',
    summary: 'Get a connection test',
    description: 'Facts, no verdict: what is good enough is for the tenant to decide.',
    answer: CONNECTION_TEST,
  },
  'GET /connection-tests/{connection_test_id}/result': {
    id: 'getConnectionTestResult',
    summary: 'Get the result of a connection test',
    answer: CONNECTION_TEST,
  },
  'GET /connection-tests/{connection_test_id}/live': {
    id: 'getConnectionTestForSubject',
    summary: 'Get a connection test as the person under test',
    description: 'Opened by the ticket of `connect_url` as Bearer, as long as the test is kept.',
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
  'POST /connection-tests/{connection_test_id}/live/connected': {
    id: 'reportSubjectConnected',
    summary: 'Say that the person under test is there',
    description:
      'Starts a pending test; repeated while it runs, it is the sign of life without which a running test expires after five minutes. Opened by the ticket of `connect_url` as Bearer.',
    refusals: ['VALIDATION_ERROR'],
    request: { client: { platform_version: '15.1', is_mobile: false } },
    answer: {
      media: {
        url: 'wss://media.example.com',
        publisher_token: 'eyJhbGciOiJIUzI1NiJ9.e30.publish',
        subscriber_token: 'eyJhbGciOiJIUzI1NiJ9.e30.receive',
      },
    },
  },
  'POST /connection-tests/{connection_test_id}/live/result': {
    id: 'reportConnectionTestResult',
    summary: 'Bring the result of a running test',
    description:
      'A completed test brings all its measurements over at least 15 seconds, a failed one its reason. `samples` are kept and never published. The first result stands; a repeat is absorbed.',
    refusals: ['VALIDATION_ERROR'],
    request: {
      status: 'completed',
      measured_sec: CONNECTION_TEST.measured_sec,
      devices: CONNECTION_TEST.devices,
      baseline: CONNECTION_TEST.baseline,
      load: CONNECTION_TEST.load,
    },
  },
  'POST /connection-tests/{connection_test_id}/live/repeat': {
    id: 'repeatConnectionTest',
    summary: 'Take the test again',
    description:
      'Makes a test of the same person in the same settings, for what is left of the time of the first. Asked for again, it is the same one.',
    refusals: ['VALIDATION_ERROR', 'RTC_PROVISION_FAILED'],
    answer: { connect_url: CONNECTION_TEST.connect_url },
  },
}
