import type {
  ClientFacts,
  ConnectionTestMediaBody,
  ConnectionTestPageBody,
  ConnectionTestRepeatBody,
  ConnectionTestReport,
} from '@interview-room/contract/connection-tests.ts'
import { createLiveRequest, type LiveAnswer } from '../live/live-request.ts'

export type TestFacts = ConnectionTestPageBody

/** The part of the service that the person under test may ask. Nothing is thrown. */
export interface TestApi {
  look(): Promise<LiveAnswer<TestFacts>>
  /** Begins the test, or gives a sign of life; answers what the media connections join with. */
  connected: (client: Partial<ClientFacts>) => Promise<LiveAnswer<ConnectionTestMediaBody>>
  report(report: ConnectionTestReport): Promise<LiveAnswer<null>>
  /** For a page that goes away: nobody waits for the answer. */
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
      void fetch(`${base}/result`, {
        method: 'POST',
        keepalive: true,
        headers: { authorization: `Bearer ${ticket}`, 'content-type': 'application/json' },
        body: JSON.stringify(report),
        // The page is gone: there is nobody left to notify.
      }).catch(() => {})
    },
    repeat: () => request<'repeatConnectionTest'>('POST', '/repeat'),
  }
}
