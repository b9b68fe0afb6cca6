/** The rules between folders of docs/architecture.md, machine-checked. */
const OURS = '^(contract|composer|media-server|server|web|sdk|e2e|bench)/'
const TEST_TOOLS =
  '^server/src/(platform/storage/|platform/media/livekit/)?testing/|^(composer|media-server)/test/|^e2e/|^bench/'
const TESTS = String.raw`\.test\.tsx?$`
const STORES = String.raw`^server/src/.+/[a-z-]*store\.ts$`
const OPERATION_STORES = String.raw`/(age|erase)-[a-z-]+-store\.ts$`

/** The floors of the interview, from the lowest: none imports one behind it. */
const FLOORS = [
  'room-log',
  'booking',
  'people',
  'handouts',
  'chat',
  'questions',
  'recording',
  'room-end',
  'notifications',
  'connection-tests',
  'data-protection',
  'live-stream',
  'board',
  'monitoring',
  'sandbox',
]

/** Rules without effects: given values, given times. */
const MODELS = [
  'room-log/live-event',
  'booking/(room|session|slot)',
  'people/(participant|entry|display-name)',
  'chat/(message|stamps)',
  'handouts/(handout|presentation|sniff)',
  'recording/recordings/(recording|desired-recording|recording-plan)',
  'recording/recordings/(segment|segment-limits|segment-transitions|segment-consequence)',
  'recording/recordings/(due-segment|decide-segment)',
  'recording/processed-recordings/processed-recording',
  'recording/clips/clip',
  'recording/trims/trim-times',
  'recording/transcriptions/(transcription|retries|caption-lines|webvtt)',
  'connection-tests/(connection-test|mos|summary)',
  'data-protection/erasure',
  'board/alarms',
].map((file) => `^server/src/domain/${file}\\.ts$`)

const floorRules = FLOORS.slice(0, -1).map((floor, at) => ({
  name: `nothing-above-${floor}`,
  severity: 'error',
  from: { path: `^server/src/domain/${floor}/`, pathNot: TESTS },
  to: { path: `^server/src/domain/(${FLOORS.slice(at + 1).join('|')})/` },
}))

/** What the pages share, from the lowest: none imports one behind it. */
const WEB_FLOORS = [
  'i18n',
  'start',
  'design',
  'measurement',
  'live',
  'devices',
  'connection',
  'pages',
  'player',
]
const WEB_PAGES = ['room', 'board', 'review', 'console', 'connection-test', 'docs', 'not-found']

const webFloorRules = WEB_FLOORS.map((floor, at) => ({
  name: `nothing-above-${floor}-in-the-web`,
  severity: 'error',
  from: { path: `^web/src/${floor}/` },
  to: { path: `^web/src/(${[...WEB_FLOORS.slice(at + 1), ...WEB_PAGES].join('|')})/` },
}))

/** The media server, from the lowest floor. Neither the recorder nor the SFU knows the other; the start wires both. */
const MEDIA_FLOORS = ['lib', 'rtc', 'api', 'egress']
const MEDIA_TOPS = ['recorder', 'sfu']

const mediaFloorRules = MEDIA_FLOORS.map((floor, at) => ({
  name: `nothing-above-${floor}-in-the-media-server`,
  severity: 'error',
  from: { path: `^media-server/src/${floor}/`, pathNot: TESTS },
  to: { path: `^media-server/src/(${[...MEDIA_FLOORS.slice(at + 1), ...MEDIA_TOPS].join('|')})/` },
}))

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    {
      name: 'no-import-cycles',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-unresolvable-imports',
      severity: 'error',
      from: {},
      // Vite answers the address of a file for `?url`.
      to: { couldNotResolve: true, pathNot: String.raw`\?url$` },
    },
    {
      name: 'contract-imports-nothing-of-ours',
      severity: 'error',
      from: { path: '^contract/' },
      to: { path: OURS, pathNot: '^contract/' },
    },
    {
      name: 'web-and-sdk-import-only-the-contract',
      severity: 'error',
      from: { path: '^(web|sdk)/' },
      to: { path: OURS, pathNot: '^(contract|web|sdk)/' },
    },
    {
      name: 'composer-imports-nothing-of-ours',
      severity: 'error',
      from: { path: '^composer/' },
      to: { path: OURS, pathNot: '^composer/' },
    },
    {
      name: 'media-server-imports-only-the-composer',
      severity: 'error',
      from: { path: '^media-server/' },
      to: { path: OURS, pathNot: '^(composer|media-server)/' },
    },
    ...mediaFloorRules,
    {
      // By whatever way: it runs beside a LiveKit server, and no room of ours may come along.
      name: 'the-recorder-reaches-no-sfu',
      severity: 'error',
      from: { path: '^media-server/src/recorder/', pathNot: TESTS },
      to: { path: '^media-server/src/sfu/', reachable: true },
    },
    {
      name: 'the-sfu-knows-no-recorder',
      severity: 'error',
      from: { path: '^media-server/src/sfu/', pathNot: TESTS },
      to: { path: '^media-server/src/recorder/' },
    },
    {
      name: 'the-media-server-is-wired-at-its-start-only',
      severity: 'error',
      from: { path: '^media-server/src/[^/]+/', pathNot: TESTS },
      to: { path: '^media-server/src/[^/]+$' },
    },
    {
      name: 'only-the-connection-knows-livekit-client',
      severity: 'error',
      from: { path: '^web/src/', pathNot: '^web/src/connection/' },
      to: { path: 'node_modules/livekit-client' },
    },
    {
      name: 'platform-knows-nothing-of-interviews',
      severity: 'error',
      from: { path: '^server/src/platform/', pathNot: `${TESTS}|/testing/` },
      to: { path: '^server/src/', pathNot: '^server/src/platform/' },
    },
    {
      name: 'the-domain-knows-nothing-of-http',
      severity: 'error',
      from: { path: '^server/src/domain/', pathNot: TESTS },
      to: { path: '^server/src/', pathNot: '^server/src/(platform|domain)/' },
    },
    {
      name: 'the-edge-knows-nothing-of-the-start',
      severity: 'error',
      from: { path: '^server/src/api/', pathNot: TESTS },
      to: { path: '^server/src/', pathNot: '^server/src/(platform|domain|api)/' },
    },
    ...floorRules,
    ...webFloorRules,
    {
      name: 'a-page-knows-no-other',
      severity: 'error',
      from: { path: `^web/src/(${WEB_PAGES.join('|')})/` },
      to: { path: `^web/src/(${WEB_PAGES.join('|')})/`, pathNot: '^web/src/$1/' },
    },
    {
      name: 'models-are-pure',
      severity: 'error',
      from: { path: MODELS },
      to: {
        pathNot: [...MODELS, '^contract/', '^server/src/platform/lib/service-error\\.ts$'],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'a-store-is-private-to-its-folder',
      severity: 'error',
      from: { path: '^server/src/(.+)/[^/]+$', pathNot: '^server/src/domain/' },
      to: {
        path: STORES,
        pathNot: String.raw`^server/src/$1/[a-z-]+\.ts$`,
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      // A floor owns its tables. A store named after an operation (`erase-person-store.ts`) is that operation.
      name: 'a-store-is-private-to-its-floor',
      severity: 'error',
      from: { path: '^server/src/(domain/[^/]+)/' },
      to: {
        path: STORES,
        pathNot: [String.raw`^server/src/$1/`, OPERATION_STORES],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      // The rules above take the folder of a file from its path; these are in none.
      name: 'the-start-imports-no-store',
      severity: 'error',
      from: { path: '^server/src/[^/]+$', pathNot: TESTS },
      to: { path: STORES },
    },
    {
      name: 'adapters-are-wired-at-the-start-only',
      severity: 'error',
      from: {
        path: '^server/src/',
        pathNot: `^server/src/((service|main|open-storage)\\.ts$|diagnosis/)|^server/src/platform/(media/livekit|storage/(s3|folder|testing)|tracing)/|${TESTS}`,
      },
      to: { path: '^server/src/platform/(media/livekit|storage/(s3|folder)|tracing)/' },
    },
    {
      name: 'only-the-edge-knows-fastify',
      severity: 'error',
      from: {
        path: '^server/src/',
        pathNot: `^server/src/((app|service)\\.ts$|api/|testing/|local/playground/)|${TESTS}`,
      },
      to: { path: 'node_modules/(fastify|@fastify)/' },
    },
    {
      name: 'only-tracing-knows-opentelemetry',
      severity: 'error',
      from: { path: OURS, pathNot: '^server/src/platform/tracing/' },
      to: { path: 'node_modules/@opentelemetry/' },
    },
    {
      name: 'tests-and-their-tools-stay-out-of-the-product',
      severity: 'error',
      from: {
        path: OURS,
        pathNot: `${TESTS}|vitest\\.(acceptance\\.)?config\\.ts$|${TEST_TOOLS}`,
      },
      to: { path: `${TESTS}|${TEST_TOOLS}` },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules|/dist/' },
    // The programs that use generated clients are run elsewhere, beside what is generated.
    exclude: { path: '^[^/]+/dist/|^e2e/generators/' },
    // TypeScript 7 has no parser API yet.
    parser: 'swc',
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.mjs', '.js'],
    },
  },
}
