import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { cruise, type ICruiseResult } from 'dependency-cruiser'
import readConfig from 'dependency-cruiser/config-utl/extract-depcruise-config'
import { afterEach, describe, expect, test } from 'vitest'
import { sqlProblems } from '../../scripts/sql-rules.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
const rules = await readConfig(path.join(ROOT, '.dependency-cruiser.mjs'))
const folderRules = await readConfig(path.join(ROOT, '.dependency-cruiser.folders.mjs'))

const roots: string[] = []
afterEach(async () => {
  await Promise.all(roots.splice(0).map((root) => rm(root, { recursive: true })))
})

/** Files by their path from the root, each with its imports -> the names of the broken rules. */
async function broken(
  files: Record<string, readonly string[]>,
  config = rules,
): Promise<Set<string>> {
  const root = await mkdtemp(path.join(tmpdir(), 'root-'))
  roots.push(root)
  await symlink(path.join(ROOT, 'node_modules'), path.join(root, 'node_modules'))
  for (const [file, imports] of Object.entries(files)) {
    const place = path.join(root, file)
    await mkdir(path.dirname(place), { recursive: true })
    const lines = imports.map((each) => `import '${each}'`)
    await writeFile(place, [...lines, 'export const here = true'].join('\n'))
  }
  const folders = new Set(Object.keys(files).map((file) => file.replace(/\/.*/, '')))
  const { output } = await cruise([...folders], {
    ...config.options,
    baseDir: root,
    validate: true,
    ruleSet: { forbidden: config.forbidden ?? [] },
  })
  const { violations } = (output as ICruiseResult).summary
  return new Set(violations.map(({ rule }) => rule.name))
}

/** Rule -> a file, and an import of it that breaks this rule and no other. A package is named as it is imported. */
const PLANTED: Record<string, readonly [from: string, to: string]> = {
  'no-import-cycles': ['contract/src/a.ts', 'contract/src/a.ts'],
  'no-unresolvable-imports': ['contract/src/a.ts', './nowhere.ts'],
  'contract-imports-nothing-of-ours': ['contract/src/a.ts', 'sdk/src/client.ts'],
  'web-and-sdk-import-only-the-contract': ['sdk/src/client.ts', 'server/src/app.ts'],
  'composer-imports-nothing-of-ours': ['composer/src/a.ts', 'contract/src/a.ts'],
  'media-server-imports-only-the-composer': ['media-server/src/a.ts', 'contract/src/a.ts'],
  ...upwards('media-server/src/', '-in-the-media-server', ['lib', 'rtc', 'api', 'egress', 'sfu']),
  'the-recorder-reaches-no-sfu': ['media-server/src/recorder/a.ts', 'media-server/src/sfu/a.ts'],
  'the-sfu-knows-no-recorder': ['media-server/src/sfu/a.ts', 'media-server/src/recorder/a.ts'],
  'the-media-server-is-wired-at-its-start-only': [
    'media-server/src/sfu/a.ts',
    'media-server/src/server.ts',
  ],
  'only-the-connection-knows-livekit-client': ['web/src/devices/a.ts', 'livekit-client'],
  'platform-knows-nothing-of-interviews': [
    'server/src/platform/db/db.ts',
    'server/src/domain/booking/room.ts',
  ],
  'the-domain-knows-nothing-of-http': [
    'server/src/domain/booking/close.ts',
    'server/src/api/http/errors.ts',
  ],
  'the-edge-knows-nothing-of-the-start': ['server/src/api/http/errors.ts', 'server/src/app.ts'],
  ...upwards('server/src/domain/', '', [
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
  ]),
  ...upwards('web/src/', '-in-the-web', [
    'i18n',
    'start',
    'design',
    'measurement',
    'live',
    'devices',
    'connection',
    'pages',
    'player',
    'room',
  ]),
  'a-page-knows-no-other': ['web/src/board/card.ts', 'web/src/room/call/tile.ts'],
  'models-are-pure': ['server/src/domain/board/alarms.ts', 'server/src/domain/board/read-board.ts'],
  'a-store-is-private-to-its-folder': [
    'server/src/api/control/participants.ts',
    'server/src/domain/people/participant-store.ts',
  ],
  'a-store-is-private-to-its-floor': [
    'server/src/domain/chat/send.ts',
    'server/src/domain/people/participant-store.ts',
  ],
  'the-start-imports-no-store': [
    'server/src/worker.ts',
    'server/src/domain/people/participant-store.ts',
  ],
  'adapters-are-wired-at-the-start-only': [
    'server/src/platform/jobs/worker.ts',
    'server/src/platform/tracing/start-tracer.ts',
  ],
  'only-the-edge-knows-fastify': ['server/src/domain/chat/send.ts', 'fastify'],
  'only-tracing-knows-opentelemetry': ['server/src/platform/jobs/worker.ts', '@opentelemetry/api'],
  'tests-and-their-tools-stay-out-of-the-product': [
    'server/src/domain/chat/send.ts',
    'server/src/domain/chat/send.test.ts',
  ],
}

/** Each floor imports the one above it. */
function upwards(folder: string, ending: string, floors: readonly string[]): typeof PLANTED {
  const pairs = floors.slice(0, -1).map((floor, at) => {
    const imported = `${folder}${floors[at + 1]}/a.ts`
    return [`nothing-above-${floor}${ending}`, [`${folder}${floor}/a.ts`, imported]] as const
  })
  return Object.fromEntries(pairs)
}

describe('the folder rules', () => {
  test('allow imports that lead downwards', async () => {
    const files = {
      'server/src/api/control/rooms.ts': ['../../domain/booking/close.ts'],
      'server/src/domain/booking/close.ts': [
        './store.ts',
        '../room-log/publish.ts',
        '../../platform/db/db.ts',
      ],
      'server/src/domain/booking/store.ts': ['../../platform/db/db.ts'],
      'server/src/domain/recording/expire.ts': ['./clips/store.ts'],
      'server/src/domain/recording/clips/store.ts': ['../../../platform/db/db.ts'],
      'server/src/domain/sandbox/advance.ts': ['../booking/age-sessions-store.ts'],
      'server/src/domain/booking/age-sessions-store.ts': ['../../platform/db/db.ts'],
      'server/src/domain/room-log/publish.ts': ['../../platform/db/db.ts'],
      'server/src/platform/db/db.ts': ['pg'],
      'server/src/api/http/errors.ts': ['fastify'],
      'server/src/platform/tracing/start-tracer.ts': ['@opentelemetry/api'],
      'web/src/connection/media-room.ts': ['livekit-client'],
      'web/src/room/chat/panel.ts': ['../tools/button.ts', '../../design/button.ts'],
      'web/src/room/tools/button.ts': ['../../devices/microphone.ts'],
      'web/src/devices/microphone.ts': ['../design/button.ts'],
      'web/src/design/button.ts': ['../i18n/text.ts'],
      'web/src/i18n/text.ts': [],
      'media-server/src/server.ts': ['./sfu/room.ts'],
      'media-server/src/sfu/room.ts': ['../egress/egress.ts'],
      'media-server/src/recorder/recorder.ts': ['../egress/egress.ts'],
      'media-server/src/egress/egress.ts': ['../rtc/track.ts', '../api/twirp.ts'],
      'media-server/src/rtc/track.ts': ['../lib/log.ts'],
      'media-server/src/api/twirp.ts': ['../lib/log.ts'],
      'media-server/src/lib/log.ts': [],
    }
    expect(await broken(files)).toEqual(new Set())
    expect(await broken(files, folderRules)).toEqual(new Set())
  })

  const names = (rules.forbidden ?? []).map(({ name }) => name ?? '')
  test.each(names)('refuse an import against "%s"', async (rule) => {
    const planted = PLANTED[rule]
    if (planted === undefined) throw new Error('no import is planted against this rule')
    const [from, to] = planted
    const isFile = to.includes('/src/')
    const imported = isFile ? `./${path.relative(path.dirname(from), to)}` : to
    const files = isFile ? { [to]: [], [from]: [imported] } : { [from]: [imported] }
    expect(await broken(files)).toEqual(new Set([rule]))
  })

  test('refuse a recorder that reaches the SFU through another file', async () => {
    const files = {
      'media-server/src/recorder/a.ts': ['../egress/a.ts'],
      'media-server/src/egress/a.ts': ['../../../composer/src/a.ts'],
      'composer/src/a.ts': ['../../media-server/src/sfu/a.ts'],
      'media-server/src/sfu/a.ts': [],
    }
    expect(await broken(files)).toContain('the-recorder-reaches-no-sfu')
  })

  test.each(['server/src/domain', 'media-server/src', 'web/src'])(
    'know every folder of %s',
    async (place) => {
      const entries = await readdir(path.join(ROOT, place), { withFileTypes: true })
      const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
      const paths = JSON.stringify(rules.forbidden)
      const isKnown = (folder: string) => new RegExp(`[(|/]${folder}[)|/]`).test(paths)
      expect(folders.length).toBeGreaterThan(5)
      expect(folders.filter((folder) => !isKnown(folder))).toEqual([])
    },
  )

  test('refuse folders that import each other, though no two files do', async () => {
    const files = {
      'server/src/domain/chat/send.ts': ['../chat-files/upload.ts'],
      'server/src/domain/chat-files/upload.ts': [],
      'server/src/domain/chat-files/purge.ts': ['../chat/read.ts'],
      'server/src/domain/chat/read.ts': [],
    }
    expect(folderRules.forbidden).toHaveLength(1)
    expect(await broken(files, folderRules)).toEqual(new Set(['no-cycles-between-folders']))
  })
})

const STORE = 'export const find = (db) => db`select 1 from rooms`'

describe('the rules about statements', () => {
  test('let through SQL in stores, one owner per table, and a clock that is given', () => {
    const files = new Map([
      ['server/src/domain/booking/room-store.ts', 'await tx`update rooms set closed_at = ${at}`'],
      ['server/src/domain/booking/store.ts', STORE],
      ['server/src/domain/chat/store.ts', 'await tx`select 1 from rooms for update of rooms`'],
      ['server/src/domain/chat/send.ts', 'const at = new Date(now.getTime() + 1)'],
      ['server/src/platform/media/livekit/livekit-media.ts', "call('update rights', send)"],
    ])
    expect(sqlProblems(files)).toEqual([])
  })

  test.each([
    ['SQL outside a store', 'server/src/domain/booking/close.ts', STORE, /holds SQL/],
    [
      'SQL behind a comment',
      'server/src/domain/booking/close.ts',
      'tx`-- why\n select 1 from rooms`',
      /holds SQL/,
    ],
    [
      'SQL in quotes',
      'server/src/domain/booking/close.ts',
      "db.query('select 1 from rooms')",
      /SQL/,
    ],
    [
      'SQL on a quoted table',
      'server/src/domain/booking/close.ts',
      'tx`delete from "rooms"`',
      /SQL/,
    ],
    ['a table emptied', 'server/src/domain/booking/close.ts', 'tx`truncate rooms`', /holds SQL/],
  ] as const)('refuse %s', (...[, file, text, problem]) => {
    expect(sqlProblems(new Map([[file, text]]))).toEqual([expect.stringMatching(problem)])
  })

  test.each([
    'const at = new Date()',
    'const at = new Date',
    'const at = new globalThis.Date( )',
    'const at = Date.now()',
    "const at = Date['now']()",
    'const { now } = Date',
    'start({ now: Date.now })',
    'const text = Date()',
    'const at = performance.timeOrigin + performance.now()',
  ])('refuse a clock of its own: %s', (text) => {
    expect(sqlProblems(new Map([['server/src/domain/chat/send.ts', text]]))).toEqual([
      expect.stringMatching(/reads the clock/),
    ])
  })

  test.each([
    'const at = new Date(0)',
    'const at = new Date(\n  row.at,\n)',
    'const left = endMs - performance.now()',
    'type At = Date | null',
    '// not by Date.now()',
  ])('let through what reads no time of day: %s', (text) => {
    expect(sqlProblems(new Map([['server/src/domain/chat/send.ts', text]]))).toEqual([])
  })

  test('find a write behind a statement inside of the statement', () => {
    const write = 'await tx`with a as (${tx`select 1 from b`}) update rooms set closed_at = now()`'
    const files = new Map([
      ['server/src/domain/booking/store.ts', write],
      ['server/src/domain/people/store.ts', write],
    ])
    expect(sqlProblems(files)).toEqual([expect.stringContaining('rooms is written in')])
  })

  test.each([
    'with closed as (update rooms set a = 1 returning id) select 1 from closed',
    'update "rooms" set a = 1',
    'update only rooms set a = 1',
    'delete from public.rooms where id = 1',
    'delete from "public"."rooms"',
    'insert into rooms (id) values (1)',
    'merge into rooms using x on true when matched then delete',
    'truncate table rooms',
  ])('find a second writer in every form of a write: %s', (write) => {
    const files = new Map([
      ['server/src/domain/booking/store.ts', 'await tx`update rooms set closed_at = ${at}`'],
      ['server/src/domain/people/store.ts', `await tx\`${write}\``],
    ])
    expect(sqlProblems(files)).toEqual([expect.stringContaining('rooms is written in')])
  })

  test('refuse a second folder that writes a table', async () => {
    const owner = 'server/src/domain/room-log/clock-store.ts'
    const own = await readFile(path.join(ROOT, owner), 'utf8')
    const files = new Map([
      [owner, own],
      ['server/src/domain/people/store.ts', 'await tx`\n  update room_clocks set seq = seq + 1`'],
    ])
    expect(sqlProblems(files)).toEqual([
      'room_clocks is written in server/src/domain/people and server/src/domain/room-log: a table has one owner',
    ])
  })
})
