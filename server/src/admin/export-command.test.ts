import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { useControlPlane } from '../testing/control-plane.ts'
import { ERASED, holdInterview } from '../testing/erased-person.ts'
import { useLiveRooms } from '../testing/live-room.ts'
import { useRecordedRooms } from '../testing/recorded-rooms.ts'
import { openAdminDeps } from './open-deps.ts'
import { runAdmin } from './run-admin.ts'

const plane = useControlPlane()
const live = useLiveRooms(plane)
const rooms = useRecordedRooms(plane, live)
const PERSON = ['--external-type', 'User', '--external-id', ERASED.externalId]

let folder: string
let tenant: string[]
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'interview-room-export-'))
  tenant = ['--tenant', plane.tenant.tenantId]
  await holdInterview({ plane, live, rooms })
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const fileOf = (name: string) => path.join(folder, name)
const run = (...args: string[]) =>
  runAdmin(['data-subjects', 'export', ...args], () => ({
    deps: plane.deps,
    close: async () => {},
  }))

test('export writes the answer of the API into a file that only its owner can read', async () => {
  const out = fileOf('person.json')
  const { exitCode, stdout, stderr } = await run(...tenant, ...PERSON, '--out', out, '--json')
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
  expect(JSON.parse(stdout)).toEqual({ file: out, rooms: 4 })
  const reference = { external_type: 'User', external_id: ERASED.externalId }
  const { data } = await plane.tenant.post('/data-subjects/exports', reference)
  expect(JSON.parse(await readFile(out, 'utf8'))).toEqual(data)
  expect((await stat(out)).mode & 0o777).toBe(0o600)
})

test('export to - writes to standard output, and its summary to standard error', async () => {
  const { exitCode, stdout, stderr } = await run(...tenant, ...PERSON, '--out', '-', '--json')
  expect(exitCode).toBe(0)
  expect(JSON.parse(stderr)).toEqual({ file: '-', rooms: 4 })
  const reference = { external_type: 'User', external_id: ERASED.externalId }
  const { data } = await plane.tenant.post('/data-subjects/exports', reference)
  expect(JSON.parse(stdout)).toEqual(data)
  await expect(stat('-')).rejects.toThrow('ENOENT')
})

test('export leaves a file that exists as it is', async () => {
  const out = fileOf('old.json')
  await writeFile(out, 'of somebody else')
  const refused = await run(...tenant, ...PERSON, '--out', out)
  expect(refused).toMatchObject({ exitCode: 1, stdout: '' })
  expect(refused.stderr).toContain(`file already exists, open '${out}'`)
  expect(await readFile(out, 'utf8')).toBe('of somebody else')
})

const UNKNOWN = ['--external-type', 'User', '--external-id', 'nobody']
const NO_TYPE = ['--external-id', '1']

test.each([
  { of: PERSON, by: randomUUID(), exitCode: 1, message: 'there is no tenant' },
  { of: UNKNOWN, exitCode: 1, message: 'nothing is stored of this person' },
  { of: NO_TYPE, exitCode: 2, message: "required option '--external-type <type>' not specified" },
])('export writes no file where it says: $message', async ({ of, by, exitCode, message }) => {
  const out = fileOf(randomUUID())
  const refused = await run(...(by === undefined ? tenant : ['--tenant', by]), ...of, '--out', out)
  expect(refused).toMatchObject({ exitCode, stdout: '' })
  expect(refused.stderr).toContain(message)
  await expect(stat(out)).rejects.toThrow('ENOENT')
})

test('export requires a file, in a folder that is there', async () => {
  const refused = await run(...tenant, ...PERSON)
  expect(refused).toMatchObject({ exitCode: 2, stdout: '' })
  expect(refused.stderr).toContain("required option '--out <file or ->' not specified")
  const nowhere = await run(...tenant, ...PERSON, '--out', fileOf('none/person.json'))
  expect(nowhere).toMatchObject({ exitCode: 1, stdout: '' })
  expect(nowhere.stderr).toContain('no such file or directory')
})

test('export shows nothing of a person to another tenant', async () => {
  const refused = await run('--tenant', plane.other.tenantId, ...PERSON, '--out', fileOf('other'))
  expect(refused.stderr).toBe('nothing is stored of this person\n')
})

test('the command line signs links as the service does', async () => {
  const env = {
    DATABASE_URL: plane.database.url,
    PUBLIC_URL: 'https://rooms.test',
    SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
    STORAGE_DIR: folder,
  }
  const opened = openAdminDeps(env)
  const key = `${plane.tenant.tenantId}/chat/${randomUUID()}`
  const shown = { mime: 'application/pdf', fileName: 'x.pdf', disposition: 'attachment' } as const
  const { url } = await opened.deps.storage.signGet(key, { expiresInSec: 60, ...shown })
  await opened.close()
  expect(url).toContain(`https://rooms.test/files/${key}?`)
})
