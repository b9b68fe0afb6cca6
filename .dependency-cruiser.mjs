/** The rules between folders of docs/architecture.md, machine-checked. */
const OURS = '^(contract|media-server|server|web|sdk|e2e|bench)/'

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
      to: { couldNotResolve: true },
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
      name: 'media-server-imports-nothing-of-ours',
      severity: 'error',
      from: { path: '^media-server/' },
      to: { path: OURS, pathNot: '^media-server/' },
    },
    {
      name: 'only-the-connection-knows-livekit-client',
      severity: 'error',
      from: { path: '^web/src/', pathNot: '^web/src/connection/' },
      to: { path: 'node_modules/livekit-client' },
    },
    {
      name: 'a-store-is-private-to-its-module',
      severity: 'error',
      from: { path: '^server/src/([^/]+)/' },
      to: { path: '^server/src/[^/]+/[a-z-]*store\\.ts$', pathNot: '^server/src/$1/' },
    },
    {
      name: 'adapters-are-wired-at-the-start-only',
      severity: 'error',
      from: {
        path: '^server/src/',
        pathNot:
          '^server/src/(service\\.ts|main\\.ts|media/livekit/|storage/(s3|folder|testing)/)|\\.test\\.ts$',
      },
      to: { path: '^server/src/(media/livekit|storage/(s3|folder))/' },
    },
    {
      name: 'only-the-edge-knows-fastify',
      severity: 'error',
      from: {
        path: '^server/src/',
        pathNot:
          '^server/src/(app\\.ts|service\\.ts|http/|testing/|local/playground/)|routes\\.ts$|\\.test\\.ts$',
      },
      to: { path: 'node_modules/(fastify|@fastify)/' },
    },
    {
      name: 'tests-and-their-tools-stay-out-of-the-product',
      severity: 'error',
      from: {
        path: OURS,
        pathNot:
          '\\.test\\.tsx?$|vitest\\.(acceptance\\.)?config\\.ts$|^server/src/(storage/|media/livekit/)?testing/|^media-server/test/|^e2e/|^bench/',
      },
      to: {
        path: '\\.test\\.tsx?$|^server/src/(storage/|media/livekit/)?testing/|^media-server/test/|^e2e/|^bench/',
      },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules|/dist/' },
    exclude: { path: '/dist/' },
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
