import { type Operations, pageOf } from './operation.ts'
import { CONNECTION_TEST } from './samples.ts'

export const CONNECTION_TEST_OPERATIONS: Operations = {
  'POST /connection-tests': {
    id: 'startConnectionTest',
    summary: 'Start a connection test',
    description: 'The person under test opens `connect_url`; the ticket in it is shown only here.',
    refusals: ['RTC_PROVISION_FAILED'],
    isKeyed: true,
    hasLocation: true,
    request: { external_type: 'User', external_id: '90210', name: 'P-07', locale: 'ja' },
    answer: {
      ...CONNECTION_TEST,
      status: 'pending',
      connect_url: `${CONNECTION_TEST.connect_url}#ticket=eyJhbGciOiJFUzI1NiJ9`,
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
}
