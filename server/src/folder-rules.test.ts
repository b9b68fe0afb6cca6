import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
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

/** Files below `src/`, each with what it imports -> the names of the rules that are broken. */
async function broken(
  files: Record<string, readonly string[]>,
  { config = rules, workspace = 'server' } = {},
): Promise<string[]> {
  const root = await mkdtemp(path.join(tmpdir(), 'root-'))
  roots.push(root)
  for (const [file, imports] of Object.entries(files)) {
    const place = path.join(root, workspace, 'src', file)
    await mkdir(path.dirname(place), { recursive: true })
    const lines = imports.map((each) => `import '${each}'`)
    await writeFile(place, [...lines, 'export const here = true'].join('\n'))
  }
  const { output } = await cruise([workspace], {
    ...config.options,
    baseDir: root,
    validate: true,
    ruleSet: { forbidden: config.forbidden ?? [] },
  })
  return (output as ICruiseResult).summary.violations.map(({ rule }) => rule.name)
}

describe('the folder rules', () => {
  test('let through what runs downwards', async () => {
    const files = {
      'api/control/rooms.ts': ['../../domain/booking/close.ts'],
      'domain/booking/close.ts': [
        './store.ts',
        '../room-log/publish.ts',
        '../../platform/db/db.ts',
      ],
      'domain/booking/store.ts': ['../../platform/db/db.ts'],
      'domain/room-log/publish.ts': ['../../platform/db/db.ts'],
      'platform/db/db.ts': [],
    }
    expect(await broken(files)).toEqual([])
    expect(await broken(files, { config: folderRules })).toEqual([])
  })

  test.each([
    [
      'platform',
      'platform/db/db.ts',
      '../../domain/booking/room.ts',
      'platform-knows-nothing-of-interviews',
    ],
    [
      'domain',
      'domain/booking/close.ts',
      '../../api/http/errors.ts',
      'the-domain-knows-nothing-of-http',
    ],
    ['edge', 'api/http/errors.ts', '../../app.ts', 'the-edge-knows-nothing-of-the-start'],
    ['floor', 'domain/booking/close.ts', '../chat/send.ts', 'nothing-above-booking'],
    [
      'store',
      'domain/chat/send.ts',
      '../people/participant-store.ts',
      'a-store-is-private-to-its-folder',
    ],
    [
      'store, from the start',
      'worker.ts',
      './domain/people/participant-store.ts',
      'the-start-imports-no-store',
    ],
    ['model', 'domain/board/alarms.ts', './store.ts', 'models-are-pure'],
    [
      'adapter',
      'platform/jobs/worker.ts',
      '../tracing/start-tracer.ts',
      'adapters-are-wired-at-the-start-only',
    ],
    [
      'OpenTelemetry',
      'platform/jobs/worker.ts',
      '../../../node_modules/@opentelemetry/api/index.js',
      'only-tracing-knows-opentelemetry',
    ],
  ] as const)('refuse an import turned upwards or aside: %s', async (...[, from, to, rule]) => {
    const target = path.join(path.dirname(from), to)
    expect(await broken({ [from]: [to], [target]: [] })).toEqual([rule])
  })

  test.each(['server/src/domain', 'web/src'])('know every folder of %s', async (place) => {
    const entries = await readdir(path.join(ROOT, place), { withFileTypes: true })
    const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
    const paths = JSON.stringify(rules.forbidden)
    const isKnown = (folder: string) => new RegExp(`[(|/]${folder}[)|/]`).test(paths)
    expect(folders.length).toBeGreaterThan(10)
    expect(folders.filter((folder) => !isKnown(folder))).toEqual([])
  })

  test('let pages of the web import what they share, and that what lies below it', async () => {
    const files = {
      'room/chat/panel.ts': ['../tools/button.ts', '../../design/button.ts'],
      'room/tools/button.ts': ['../../devices/microphone.ts'],
      'devices/microphone.ts': ['../design/button.ts'],
      'design/button.ts': ['../i18n/text.ts'],
      'i18n/text.ts': [],
    }
    expect(await broken(files, { workspace: 'web' })).toEqual([])
    expect(await broken(files, { workspace: 'web', config: folderRules })).toEqual([])
  })

  test.each([
    ['design/button.ts', '../room/text.ts', 'nothing-above-design-in-the-web'],
    ['devices/microphone.ts', '../connection/call.ts', 'nothing-above-devices-in-the-web'],
    ['board/card.ts', '../room/call/tile.ts', 'a-page-knows-no-other'],
  ] as const)('refuse in the web that %s imports %s', async (...[from, to, rule]) => {
    const target = path.join(path.dirname(from), to)
    expect(await broken({ [from]: [to], [target]: [] }, { workspace: 'web' })).toEqual([rule])
  })

  test('refuse folders that import each other, though no two files do', async () => {
    const files = {
      'domain/chat/send.ts': ['../chat-files/upload.ts'],
      'domain/chat-files/upload.ts': [],
      'domain/chat-files/purge.ts': ['../chat/read.ts'],
      'domain/chat/read.ts': [],
    }
    expect(new Set(await broken(files, { config: folderRules }))).toEqual(
      new Set(['no-cycles-between-folders']),
    )
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
