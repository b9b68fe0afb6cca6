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
  'POST /connection-tests/{connection_test_id}/live/connected': {
    id: 'reportSubjectConnected',
    summary: 'Say that the person under test is there',
    description:
      'Starts a pending test; repeated while it runs, it is the sign of life without which a running test expires after five minutes. Opened by the ticket of `connect_url` as Bearer.',
    refusals: ['VALIDATION_ERROR'],
    request: { client: { platform_version: '15.1', is_mobile: false } },
  },
  'POST /connection-tests/{connection_test_id}/live/result': {
    id: 'reportConnectionTestResult',
    summary: 'Bring the result of a running test',
    description:
      'A completed test brings all its measurements over at least 15 seconds, a failed one its reason. The first result stands; a repeat is absorbed.',
    refusals: ['VALIDATION_ERROR'],
    request: {
      status: 'completed',
      measured_sec: CONNECTION_TEST.measured_sec,
      devices: CONNECTION_TEST.devices,
      baseline: CONNECTION_TEST.baseline,
      load: CONNECTION_TEST.load,
    },
  },
}
