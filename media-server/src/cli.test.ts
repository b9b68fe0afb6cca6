import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import { optionsOf } from './cli.ts'

// Named, so that nothing is said of a program that is not there.
const ENV = { ...process.env, FFMPEG_PATH: 'ffmpeg' }
const BIN = path.join(import.meta.dirname, '../bin/interview-media-server.js')

const run = (...args: string[]) =>
  promisify(execFile)(process.execPath, [BIN, ...args], { env: ENV })

describe('the command line', () => {
  test('takes key and secret, and refuses to start without them', () => {
    expect(optionsOf({ keys: 'one: 1:1, two: 2' }, {}).apiKeys).toEqual({ one: '1:1', two: '2' })
    expect(() => optionsOf({}, {})).toThrow('no API keys')
    expect(() => optionsOf({ keys: 'no secret' }, {})).toThrow('<key>: <secret>')
  })

  test('takes precedence over the environment', () => {
    const env = { PORT: '1000', HOST: '10.0.0.1', KEYS: 'key: secret' }
    expect(optionsOf({ port: '2000' }, env)).toMatchObject({ port: 2000, host: '10.0.0.1' })
  })

  test('listens with --dev on the loopback, with the development key', () => {
    expect(optionsOf({ dev: true }, {})).toMatchObject({
      host: '127.0.0.1',
      port: 7880,
      apiKeys: { devkey: 'secret' },
      autoCreate: true,
    })
  })

  test('signs webhooks with the first key by default', () => {
    const flags = { keys: 'one: 1, two: 2', 'webhook-url': ['http://a.test', 'http://b.test'] }
    const urls = flags['webhook-url']
    expect(optionsOf(flags, {}).webhook).toEqual({ urls, apiKey: 'one' })
    expect(optionsOf(flags, { WEBHOOK_KEY: 'two' }).webhook).toEqual({ urls, apiKey: 'two' })
  })

  test('takes an empty variable for one that is not set, as Compose passes it', () => {
    const names = [
      'HOST',
      'PORT',
      'WEBHOOK_URL',
      'WEBHOOK_KEY',
      'RTC_PORT_RANGE',
      'NODE_IP',
      'TURN_URL',
    ]
    const env = Object.fromEntries(names.map((name) => [name, '']))
    expect(optionsOf({ dev: true }, env)).toEqual(optionsOf({ dev: true }, {}))
  })

  test.each([
    [{ port: '70000' }, 'PORT (--port): not a port: 70000'],
    [{ port: 'http' }, 'PORT (--port): not a port: http'],
    [{ 'rtc-port-range': '50000' }, 'RTC_PORT_RANGE (--rtc-port-range): not a port range: 50000'],
    [{ 'rtc-port-range': '200-100' }, 'not a port range'],
    [
      { 'webhook-url': ['a.test/events'] },
      'WEBHOOK_URL (--webhook-url): not an address: a.test/events',
    ],
    [{ 'turn-url': ['https://turn.test'] }, 'not the address of a TURN server'],
  ])('refuses %j', (flags, reason) => {
    expect(() => optionsOf({ dev: true, ...flags }, {})).toThrow(reason)
  })

  test('sets the addresses of media', () => {
    const flags = { dev: true, 'rtc-port-range': '50000-50200', 'node-ip': '10.1.2.3' }
    expect(optionsOf(flags, {}).rtc).toMatchObject({
      portRange: [50_000, 50_200],
      addresses: ['10.1.2.3'],
    })
  })

  test('offers a TURN server, of several addresses', () => {
    const env = {
      TURN_URL: 'turn:a.test:3478,turns:a.test:5349?transport=tcp',
      TURN_USERNAME: 'user',
      TURN_CREDENTIAL: 'word',
    }
    expect(optionsOf({ dev: true }, env).rtc?.turn).toEqual({
      urls: ['turn:a.test:3478', 'turns:a.test:5349?transport=tcp'],
      username: 'user',
      credential: 'word',
    })
    expect(optionsOf({ dev: true }, {}).rtc?.turn).toBeUndefined()
  })
})

describe('the program', () => {
  test('says where it looks for ffmpeg', async () => {
    const { stdout } = await run('--help')
    expect(stdout).toMatch(/needs ffmpeg .*: FFMPEG_PATH, else\s+the first in the PATH\.\n$/)
  })

  test.each([
    ['--egress-dir', 'EGRESS_DIR'],
    ['--egress-output-dir', 'EGRESS_OUTPUT_DIR'],
  ])('ends with one line about a folder that cannot be made: %s', async (flag, name) => {
    const folder = await mkdtemp(path.join(tmpdir(), 'cli-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const file = path.join(folder, 'file')
    await writeFile(file, '')
    const wrong = path.join(file, 'egress')
    const usual = flag === '--egress-dir' ? [] : ['--egress-dir', path.join(folder, 'usual')]
    const failure = run('--dev', '--port', '0', ...usual, flag, wrong)
    await expect(failure).rejects.toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(
        new RegExp(`^${name} \\(${flag}\\) cannot be used, the folder ${wrong}: ENOTDIR.*\n$`),
      ) as unknown,
    })
  })
})
