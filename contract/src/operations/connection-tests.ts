import {
  ConnectionTestBody,
  ConnectionTestConnected,
  ConnectionTestMediaBody,
  ConnectionTestPageBody,
  ConnectionTestQuery,
  ConnectionTestRepeatBody,
  ConnectionTestReport,
  NewConnectionTest,
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
  summary: 'Start a connection test',
  description:
    'The person under test opens `connect_url`, which holds the ticket to this test alone.',
  body: NewConnectionTest,
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
  summary: 'List connection tests, newest first',
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
  description: 'Facts, no verdict: what is good enough is for the tenant to decide.',
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
  summary: 'Get a connection test as the person under test',
  description: 'Opened by the ticket of `connect_url` as Bearer, as long as the test is kept.',
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
  summary: 'Say that the person under test is there',
  description:
    'Starts a pending test; repeated while it runs, it is the sign of life without which a running test expires after five minutes. Opened by the ticket of `connect_url` as Bearer.',
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
  summary: 'Bring the result of a running test',
  description:
    'A completed test brings all its measurements over at least 15 seconds, a failed one its reason. `samples` are kept and never published. The first result stands; a repeat is absorbed.',
  credential: 'test ticket',
  params: ConnectionTestParams,
  body: ConnectionTestReport,
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
  summary: 'Take the test again',
  description:
    'Makes a test of the same person in the same settings, for what is left of the time of the first. Asked for again, it is the same one.',
  credential: 'test ticket',
  params: ConnectionTestParams,
  answers: { 201: ConnectionTestRepeatBody },
  refusals: ['VALIDATION_ERROR', 'RTC_PROVISION_FAILED'],
  example: {
    answer: { connect_url: CONNECTION_TEST.connect_url },
  },
})
