/**
 * The suites, and the ones that run side by side. On two cores, suites that compute run beside suites that wait for
 * browsers and measure timing, sound and video. The measuring suites have priority: the computing ones run at a low
 * priority in the time that is left.
 */
export interface Suite {
  name: string
  config: string
  /** The project in that configuration, if it has several. */
  project?: string
}

const CONTRACT: Suite = { name: 'contract', config: 'contract/vitest.config.ts' }
const SDK: Suite = { name: 'sdk', config: 'sdk/vitest.config.ts' }
const WEB: Suite = { name: 'web', config: 'web/vitest.config.ts' }
const BENCH: Suite = { name: 'bench', config: 'bench/vitest.config.ts' }
const SERVER: Suite = {
  name: 'server',
  config: 'server/vitest.config.ts',
  project: 'computing',
}
const SERVER_MEDIA: Suite = {
  name: 'server-media',
  config: 'server/vitest.config.ts',
  project: 'media',
}
const COMPOSER: Suite = { name: 'composer', config: 'composer/vitest.config.ts' }
const MEDIA_SERVER: Suite = { name: 'media-server', config: 'media-server/vitest.config.ts' }
const ACCEPTANCE: Suite = {
  name: 'acceptance',
  config: 'media-server/vitest.acceptance.config.ts',
}
const E2E_WAITING: Suite = {
  name: 'e2e-waiting',
  config: 'e2e/vitest.config.ts',
  project: 'waiting',
}
const E2E_MEASURING: Suite = {
  name: 'e2e-measuring',
  config: 'e2e/vitest.config.ts',
  project: 'measuring',
}

/** Suites that run one after the other. */
export interface Lane {
  suites: readonly Suite[]
  /** Added to the niceness of its processes. 0 keeps the caller's priority. */
  niceness: number
}

/** Lanes run side by side. */
export const LANES: readonly Lane[] = [
  {
    suites: [CONTRACT, SDK, BENCH, WEB, SERVER, COMPOSER, MEDIA_SERVER],
    niceness: 5,
  },
  // These wait for media, too. With them in this lane, both lanes end at about the same time.
  { suites: [E2E_WAITING, E2E_MEASURING, SERVER_MEDIA, ACCEPTANCE], niceness: 0 },
]

export const SUITES: readonly Suite[] = LANES.flatMap(({ suites }) => suites)

/** The suites that a command line argument names. `e2e` names both of its projects. */
export function suitesNamed(word: string): readonly Suite[] {
  return SUITES.filter(({ name }) => name === word || name.startsWith(`${word}-`))
}

/** The suites of `npm run test:long`: everything that has a longer form, with the settings of that form. */
export const LONG_RUN: readonly { suite: Suite; files: readonly string[] }[] = [
  {
    suite: SERVER,
    files: [
      'chat/over-replicas',
      'deployment/alerts-fire',
      'deployment/chart',
      'deployment/compose',
      'deployment/debian-root',
      'deployment/edge',
      'deployment/first-command',
      'deployment/image',
      'deployment/previous-release',
      'doctor/doctor-livekit',
      'engines/hear-with-whisper',
      'handouts/kinds-of-files',
      'http/hostile-requests',
      'http/paging-walk',
      'live-text/killed-worker',
      'livekit/listeners',
      'media-files/zip-files',
      'openapi/spectral',
      'processed-recordings/trim-crash',
      'processed-recordings/upload',
      'random-histories',
      'recordings/egress-event-order',
      'transcriptions/real-whisper',
      'read-only-database',
      'rolling-restarts',
      'sandbox/trigger-crash',
      'transcriptions/speakers',
      'webhooks/replay-webhooks',
      'webhooks/saturation',
    ],
  },
  { suite: BENCH, files: ['requests/ratios'] },
  { suite: COMPOSER, files: ['clock-drift', 'half-an-hour'] },
  { suite: MEDIA_SERVER, files: [] },
  { suite: ACCEPTANCE, files: [] },
  {
    suite: E2E_WAITING,
    files: [
      'recording-crash',
      'transcription-crash',
      'board-many-rooms',
      'captions-fit',
      'chaos',
      'console',
      'erasure',
      'exact-places',
      'exact-words',
      'firefox',
      'generators',
      'guide',
      'held-back-stream',
      'hostile-surroundings',
      'kinds-of-files',
      'live-text-cut',
      'long-recording',
      'pictures',
      'playground-recordings',
      'recorded-live-text',
      'recording-commands',
      'recovery',
      'reported-losses',
      'room-fits',
      'topology',
      'transcription.test',
      'translated-walk',
    ],
  },
  { suite: E2E_MEASURING, files: ['connection-test-networks', 'src/recording.test'] },
]

export const LONG_SETTINGS: Readonly<Record<string, string>> = {
  TEST_SCOPE: 'whole',
  ROLLING_RESTARTS: '20',
  SWITCHES_TO_STANDBY: '10',
  HISTORIES_MINUTES: '30',
  RECORDING_CRASHES: '10',
  TRANSCRIPTION_CRASHES: '10',
  CHAOS_EVENTS: '3000',
  CHAOS_KILLS: '60',
  CHAOS_CRASHES: '8',
  LARGE_FILES: '1',
  LONG_RECORDING_MINUTES: '90',
  // The RTP sequence numbers of audio wrap around after 22 minutes.
  LIVEKIT_ACCEPTANCE_SOAK_MINUTES: '25',
}
