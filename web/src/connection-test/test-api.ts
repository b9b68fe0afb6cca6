import type {
  ClientFacts,
  ConnectionTestMediaBody,
  ConnectionTestPageBody,
  ConnectionTestRepeatBody,
  ConnectionTestReport,
} from '@interview-room/contract/connection-tests.ts'
import { createLiveRequest, type LiveAnswer } from '../live/live-request.ts'
import { callService } from '../live/send-request.ts'

export type TestFacts = ConnectionTestPageBody

/** The operations of the service for the person under test. They never throw. */
export interface TestApi {
  look(): Promise<LiveAnswer<TestFacts>>
  /** Starts the test, or sends a sign of life. Returns the tokens of the media connections. */
  connected: (client: Partial<ClientFacts>) => Promise<LiveAnswer<ConnectionTestMediaBody>>
  report(report: ConnectionTestReport): Promise<LiveAnswer<null>>
  /** Sends the report of a closing page without waiting for the answer. */
  reportLeaving(report: ConnectionTestReport): void
  repeat(): Promise<LiveAnswer<ConnectionTestRepeatBody>>
}

export function createTestApi(connectionTestId: string, ticket: string): TestApi {
  const base = `/api/v1/connection-tests/${encodeURIComponent(connectionTestId)}/live`
  const request = createLiveRequest(base, () => ticket)
  return {
    look: () => request<'getConnectionTestForSubject'>('GET', ''),
    connected: (client) => request<'reportSubjectConnected'>('POST', '/connected', { client }),
    report: (report) => request<'reportConnectionTestResult'>('POST', '/result', report),
    reportLeaving: (report) => {
      // The page is closed, so there is nobody to notify of a failure.
      void callService(`${base}/result`, {
        method: 'POST',
        authorization: `Bearer ${ticket}`,
        body: report,
        keepalive: true,
      })
    },
    repeat: () => request<'repeatConnectionTest'>('POST', '/repeat'),
  }
}
