import { describe, expect, test } from 'vitest'
import { FULL_CAMERA } from './harness/browser.ts'
import { takeTest } from './harness/subject.ts'
import { useTestEnvironment } from './harness/test-environment.ts'

const URL = process.env['LIVEKIT_ACCEPTANCE_URL'] ?? ''
const KEY = process.env['LIVEKIT_ACCEPTANCE_API_KEY'] ?? ''
const SECRET = process.env['LIVEKIT_ACCEPTANCE_API_SECRET'] ?? ''

/** The embedded media server offers only UDP, so this needs a LiveKit server with `rtc.tcp_port`. */
describe.skipIf(URL === '')('a test with a media server that offers UDP and TCP', () => {
  const env = useTestEnvironment({
    browserFlags: [FULL_CAMERA],
    ownService: {
      env: { LIVEKIT_URL: URL, LIVEKIT_API_KEY: KEY, LIVEKIT_API_SECRET: SECRET },
    },
  })

  test('measures the downlink over both', async () => {
    const over = await takeTest(env)
    expect(over).toMatchObject({ status: 'completed', baseline: { media: { protocol: 'udp' } } })
    expect(over.measured_sec).toBeGreaterThanOrEqual(15)
    const tcp = over.load?.downlink_tcp
    expect(tcp).toMatchObject({ connected: true })
    expect(tcp?.connect_ms).toBeLessThan(8_000)
    expect(tcp?.audio?.bitrate_kbps).toBeGreaterThan(10)
    expect(tcp?.video?.frame_rate).toBeGreaterThan(5)
  })
})
