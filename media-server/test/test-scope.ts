/**
 * The everyday run holds the promises that the product stands on; the whole run holds everything. These
 * files are in the whole run alone. Paths below media-server/, each with the reason.
 */
const WHOLE_ONLY: Readonly<Record<string, string>> = {
  'test/acceptance/connection-check.test.ts':
    "the client library's own checks take the ways of connect, publish and reconnect again",
  'test/acceptance/egress.test.ts':
    'records and composes for a minute; egress-short.test.ts is the core of it',
  'test/acceptance/egress-crash.test.ts': 'starts and kills servers that record, for two minutes',
  'test/acceptance/weak-connection.test.ts': 'waits for what browsers estimate of slow connections',
  'test/acceptance/reconnect-outage.test.ts':
    'waits for outages and for new starts; reconnect.test.ts resumes one client every day',
  'test/acceptance/rtc-node.test.ts':
    'the native client also drives the server every day in src/server.test.ts',
  'test/acceptance/soak.test.ts': 'takes as many minutes as it is given',
  'test/acceptance/streams.test.ts':
    'the client cuts texts and files into the packets that data.test.ts sends every day',
}

/**
 * The files that the present run leaves out. TEST_SCOPE is `core` or `whole`; without it, a foreign
 * LiveKit server gets the whole and our own the core.
 */
export function filesLeftOut(env: Readonly<Record<string, string | undefined>>): string[] {
  const isForeign = (env['LIVEKIT_ACCEPTANCE_URL'] ?? '') !== ''
  const scope = env['TEST_SCOPE'] ?? (isForeign ? 'whole' : 'core')
  if (scope === 'whole') return []
  if (scope === 'core') return Object.keys(WHOLE_ONLY)
  throw new Error(`TEST_SCOPE is core or whole, not ${scope}`)
}
