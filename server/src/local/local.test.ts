import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ConfigError, loadConfig } from '../platform/config/config.ts'
import { lockDataDir } from './data-dir-lock.ts'
import { StartError } from './lib/start-error.ts'
import { planLocalStart } from './local-environment.ts'
import { ensureLocalSecrets } from './local-secrets.ts'

let dataDir: string

beforeEach(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'interview-room-local-'))
})

afterEach(() => {
  rmSync(dataDir, { recursive: true, force: true })
})

const reachOf = (given: Record<string, string>) =>
  loadConfig(planLocalStart({ DATA_DIR: dataDir, ...given }).env).webhooks.targets.reach

describe('the settings of a local start', () => {
  test('are checked together, with all problems in one message', () => {
    const given = { DATA_DIR: dataDir, PORT: '0', MEDIA_PORT: 'x', LOG_LEVEL: 'loud', ROLE: 'boss' }
    let problems: readonly string[] = []
    try {
      planLocalStart(given)
    } catch (error) {
      if (error instanceof ConfigError) problems = error.problems
    }
    expect(problems.map((problem) => problem.split(' ')[0])).toEqual(
      expect.arrayContaining(['PORT', 'MEDIA_PORT', 'LOG_LEVEL', 'ROLE']),
    )
  })

  test('put the service and the media server on ports of their own', () => {
    const given = { DATA_DIR: dataDir, PORT: '7880' }
    expect(() => planLocalStart(given)).toThrow(/MEDIA_PORT must be another port than PORT/)
    expect(planLocalStart({ ...given, MEDIA_PORT: '7881' })).toMatchObject({ mediaPort: 7881 })
    const named = { LIVEKIT_API_KEY: 'key', LIVEKIT_API_SECRET: 'long-enough-secret' }
    expect(
      planLocalStart({ ...given, ...named, LIVEKIT_URL: 'https://livekit.test' }),
    ).toMatchObject({ port: 7880 })
  })

  test('embed only the parts that they do not name', () => {
    const named = {
      DATA_DIR: dataDir,
      DATABASE_URL: 'postgres://db/x',
      SECRETS_KEY: Buffer.alloc(32).toString('base64'),
      LIVEKIT_URL: 'https://livekit.test',
      LIVEKIT_API_KEY: 'key',
      LIVEKIT_API_SECRET: 'long-enough-secret',
    }
    expect(planLocalStart(named)).toMatchObject({ embedsDatabase: false, embedsMedia: false })
    expect(planLocalStart({ DATA_DIR: dataDir })).toMatchObject({
      embedsDatabase: true,
      embedsMedia: true,
    })
  })

  // contract: Webhook envelope and signature › The local default allows loopback
  test('let webhooks go to this machine, and to no other private address, unless they say so', () => {
    expect(reachOf({})).toBe('loopback')
    expect(reachOf({ WEBHOOKS_ALLOW_PRIVATE_TARGETS: 'true' })).toBe('any')
    expect(reachOf({ WEBHOOKS_ALLOW_PRIVATE_TARGETS: 'false' })).toBe('public')
  })

  test('need the key that encrypts secrets when they name a database', () => {
    expect(() => planLocalStart({ DATA_DIR: dataDir, DATABASE_URL: 'postgres://db/x' })).toThrow(
      /SECRETS_KEY is required/,
    )
  })
})

describe('the secrets of a local installation', () => {
  test('are made once and readable by their owner only', () => {
    const made = ensureLocalSecrets(dataDir)
    expect(ensureLocalSecrets(dataDir)).toEqual(made)
    expect(statSync(path.join(dataDir, 'secrets.json')).mode & 0o777).toBe(0o600)
  })

  test('are never replaced when their file is damaged', () => {
    writeFileSync(path.join(dataDir, 'secrets.json'), '{"secretsKey":')
    expect(() => ensureLocalSecrets(dataDir)).toThrow(StartError)
  })
})

describe('the lock of a data directory', () => {
  test('is refused while its holder lives, and free again after its release', () => {
    const lock = lockDataDir(dataDir)
    expect(() => lockDataDir(dataDir)).toThrow(/in use by a running service/)
    lock.release()
    lockDataDir(dataDir).release()
  })

  test('is taken over from a dead holder, and from one whose process id was reused', () => {
    for (const holder of [
      { pid: 2 ** 22 + 1, startedAt: '1' },
      { pid: process.pid, startedAt: 'long ago' },
    ]) {
      writeFileSync(path.join(dataDir, 'lock.json'), JSON.stringify(holder))
      const lock = lockDataDir(dataDir)
      expect(() => lockDataDir(dataDir)).toThrow(/in use/)
      lock.release()
    }
  })
})
