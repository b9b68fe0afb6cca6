import { execFile, fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bundleServer } from '../../../scripts/bundle-server.ts'
import { createTenant } from '../platform/tenants/create-tenant.ts'
import { issueApiKey } from '../platform/tenants/issue-api-key.ts'
import { createTestDatabase } from '../testing/database.ts'
import { bookFirstRoom } from '../testing/first-room.ts'
import { type ServiceProcess, startServiceProcess } from '../testing/service-process.ts'

const run = promisify(execFile)
const cleanup = new AsyncDisposableStack()
let folder: string

const programOf = (name: string) => path.join(folder, `${name}.js`)

beforeAll(async () => {
  folder = await realpath(await mkdtemp(path.join(tmpdir(), 'interview-room-bundle-')))
  cleanup.defer(() => rm(folder, { recursive: true, force: true }))
  await bundleServer(folder)
})

afterAll(() => cleanup.disposeAsync())

describe('the bundle of the image', () => {
  test('has every program that it starts by its address', () => {
    const code = globSync('*.js', { cwd: folder }).map((name) =>
      readFileSync(path.join(folder, name), 'utf8'),
    )
    const siblings = code
      .flatMap((text) => [
        ...text.matchAll(/new URL\(\s*[`'"]([^`'"]*)[`'"],\s*import\.meta\.url/g),
      ])
      .map(([, address = '']) => address.replace('${path.extname(import.meta.url)}', '.js'))
    expect(siblings.toSorted()).toEqual([
      './compose-main.js',
      'copy-packets.worker.js',
      'decoder.process.js',
      'listen.process.js',
      'visit.process.js',
      'write-docx.worker.js',
    ])
    expect(siblings.filter((each) => !existsSync(path.join(folder, each)))).toEqual([])
  })

  test('has the licenses of what is in it', () => {
    const licenses = readFileSync(path.join(folder, 'licenses.txt'), 'utf8')
    expect(licenses).toMatch(/^fastify\n\n(?:.*\n)*?.*MIT License/m)
  })

  test.each([
    ['doctor', 'npm run doctor'],
    ['admin', 'npm run admin'],
    ['backup-drill', 'npm run backup-drill'],
    ['recorder', 'interview-recorder [options]'],
  ])('has %s, which says how to use it', async (name, usage) => {
    const ended = run(process.execPath, [programOf(name), '--help'])
    const { stdout, stderr } = await ended.catch(
      (error: { stdout: string; stderr: string }) => error,
    )
    expect(stdout + stderr).toContain(usage)
  })

  test('has the process that decodes images', async () => {
    const child = fork(programOf('decoder.process'), { execArgv: [], serialization: 'advanced' })
    const exited = once(child, 'exit')
    expect(await once(child, 'message')).toMatchObject([{ answer: 'ready' }, undefined])
    child.disconnect()
    await exited
  })

  test.each([
    ['masks arrivals', 'visit.process'],
    ['listens to rooms', 'listen.process'],
  ])('has the process that %s', async (_what, name) => {
    const child = fork(programOf(name), { execArgv: [] })
    const exited = once(child, 'exit')
    child.send({ id: 1, url: 'http://127.0.0.1:9', token: 'none' })
    expect(await once(child, 'message')).toMatchObject([
      { id: 1, problem: expect.any(String) },
      undefined,
    ])
    child.disconnect()
    await exited
  })

  test('has the thread that joins recordings', async () => {
    const thread = new Worker(programOf('copy-packets.worker'))
    expect(await once(thread, 'message')).toEqual([
      { problem: 'failed', message: 'the parts cannot be copied' },
    ])
  })

  test('has the thread that writes documents', async () => {
    const workerData = { title: '表示の調査', paragraphs: [{ head: '花子: ', text: 'はい。' }] }
    const thread = new Worker(programOf('write-docx.worker'), { workerData })
    const [file] = (await once(thread, 'message')) as [Uint8Array]
    expect(Buffer.from(file).subarray(0, 2).toString()).toBe('PK')
  })

  test('has the process that composes recordings', async () => {
    const composing = run(process.execPath, [programOf('compose-main')])
    composing.child.stdin?.write(`${JSON.stringify({ captures: [] })}\n`)
    const { stdout } = await composing
    expect(JSON.parse(stdout)).toEqual({ error: expect.any(String) })
  })
})

describe('the service from the bundle', () => {
  let service: ServiceProcess
  let apiKey: string
  let databaseUrl: string

  beforeAll(async () => {
    const database = await createTestDatabase()
    cleanup.defer(() => database.drop())
    databaseUrl = database.url
    const { id: tenantId } = await createTenant(database.db, { name: 'Test', isSandbox: true })
    const issued = await issueApiKey(database.db, { tenantId, note: 'test', scopes: ['control'] })
    apiKey = issued.apiKey
    service = await startServiceProcess({
      program: programOf('main'),
      databaseUrl,
      role: 'all',
      env: { PAGES_DIR: '', STORAGE_DIR: path.join(folder, 'storage'), WORK_DIR: folder },
    })
    cleanup.defer(async () => void (await service.stop()))
  })

  test('is ready', async () => {
    expect((await fetch(`${service.operations}/health/ready`)).status).toBe(200)
  })

  test.each(['/board', '/docs/webhooks', '/docs/reference'])('serves %s', async (place) => {
    const answer = await fetch(`${service.origin}${place}`)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      expect.stringContaining('text/html'),
    ])
  })

  test('finds the migrations', async () => {
    const env = { PATH: process.env['PATH'], DATABASE_URL: databaseUrl }
    const { stdout } = await run(process.execPath, [programOf('migrate')], { env })
    expect(stdout).toBe('nothing to migrate\n')
  })

  test('books a room, and decodes the image of a handout', async () => {
    expect(await bookFirstRoom(service.origin, apiKey)).toMatchObject({ content_type: 'image' })
  })
})
