import type { ControlPlane } from './control-plane.ts'
import type { Answer } from './tenant-client.ts'

const CHROME =
  'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36'

const FLOW = {
  bitrate_kbps: 40,
  packet_loss_ratio: 0.01,
  rtt_ms: 30,
  jitter_ms: 4,
  frame_rate: null,
  width: null,
  height: null,
  freeze_count: 0,
  limited_by_cpu_sec: 0,
  limited_by_bandwidth_sec: 0,
}
export const FACTS = {
  devices: { camera: 'ok', microphone: 'ok', speaker: 'not_tested' },
  baseline: {
    signaling: { connected: true, connect_ms: 80 },
    media: { connected: true, connect_ms: 210, protocol: 'udp', candidate_type: 'relay' },
    rtt_ms: { avg: 18, max: 40 },
    jitter_ms: { avg: 3, max: 9 },
  },
  load: {
    uplink: { audio: FLOW, video: null },
    downlink: { audio: FLOW, video: null },
    available_outgoing_kbps: 1500,
  },
}
export const COMPLETED = { status: 'completed', measured_sec: 20.5, ...FACTS }
export const FAILED = { status: 'failed', failure_reason: 'permission_denied' }

export interface StartedTest {
  id: string
  room_id: string
  connect_url: string
}

const headersOf = ({ connect_url: url }: Pick<StartedTest, 'connect_url'>) => ({
  authorization: `Bearer ${url.split('#ticket=')[1]}`,
  'user-agent': CHROME,
})

/** Connection tests as the tenant starts them and as their page reports them. */
export function useConnectionTests(plane: ControlPlane) {
  async function start(body: object = {}): Promise<StartedTest> {
    return (await plane.tenant.post('/connection-tests', body)).data
  }

  /** Sends a report of the test's page, with the ticket from its address. */
  function report(
    test: Omit<StartedTest, 'room_id'>,
    call: 'connected' | 'result' | 'repeat',
    body?: object,
  ): Promise<Answer> {
    return plane.tenant.post(`/connection-tests/${test.id}/live/${call}`, body, headersOf(test))
  }

  async function running(body: object = {}): Promise<StartedTest> {
    const started = await start(body)
    await report(started, 'connected')
    return started
  }

  return {
    start,
    report,
    running,
    read: async ({ id }: StartedTest) => (await plane.tenant.get(`/connection-tests/${id}`)).data,
    /** Reads the test as its page does. */
    readAsSubject: (test: Omit<StartedTest, 'room_id'>): Promise<Answer> =>
      plane.tenant.send({
        method: 'GET',
        url: `/api/v1/connection-tests/${test.id}/live`,
        headers: headersOf(test),
      }),
    webhooksOf: async ({ id }: Pick<StartedTest, 'id'>) => {
      const rows = await plane.database.db`
        select body from webhook_events where stream_key = ${`connection_test:${id}`}
      `
      return rows.map(({ body }) => JSON.parse(String(body)))
    },
  }
}
