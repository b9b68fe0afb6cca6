import { describe, expect, test } from 'vitest'
import { recorderOptionsOf } from './cli.ts'

const ENV = {
  LIVEKIT_URL: 'wss://media.example.com',
  LIVEKIT_API_KEY: 'key',
  LIVEKIT_API_SECRET: 'secret',
  EGRESS_DIR: '/var/lib/recorder',
}

describe('the command line of the recorder', () => {
  test('takes the settings of the service, and records ten rooms at a time', () => {
    expect(recorderOptionsOf({}, ENV)).toMatchObject({
      host: '127.0.0.1',
      port: 7890,
      url: 'wss://media.example.com',
      apiKeys: { key: 'secret' },
      egress: {
        folder: '/var/lib/recorder',
        outputFolder: '/var/lib/recorder/files',
        recordingMax: 10,
      },
    })
  })

  test('takes precedence over the environment', () => {
    const env = { ...ENV, EGRESS_MAX: '3', PORT: '1000', WEBHOOK_URL: 'http://a.test' }
    const flags = { 'egress-max': '5', port: '2000', keys: 'one: 1', 'give-up': '20' }
    expect(recorderOptionsOf(flags, env)).toMatchObject({
      port: 2000,
      apiKeys: { one: '1' },
      webhook: { urls: ['http://a.test'], apiKey: 'one' },
      egress: { recordingMax: 5 },
      giveUpSec: 20,
    })
  })

  test.each([
    ['LIVEKIT_URL', 'no LiveKit server: set LIVEKIT_URL'],
    ['LIVEKIT_API_KEY', 'LIVEKIT_API_KEY and LIVEKIT_API_SECRET go together'],
    ['LIVEKIT_API_SECRET', 'LIVEKIT_API_KEY and LIVEKIT_API_SECRET go together'],
    ['EGRESS_DIR', 'no folder to work in: set EGRESS_DIR'],
  ])('does not start without %s', (name, reason) => {
    expect(() => recorderOptionsOf({}, { ...ENV, [name]: '' })).toThrow(reason)
  })

  test.each([
    [{ EGRESS_MAX: '0' }, 'EGRESS_MAX (--egress-max): not a number of at least 1: 0'],
    [{ GIVE_UP: '1m' }, 'GIVE_UP (--give-up): not a number of at least 1: 1m'],
    [{ EGRESS_MAX_MINUTES: '-5' }, 'EGRESS_MAX_MINUTES (--egress-max-minutes): not a number'],
    [{ WEBHOOK_URL: 'x' }, 'WEBHOOK_URL (--webhook-url): not an address: x'],
  ])('names what is wrong: %o', (wrong, reason) => {
    expect(() => recorderOptionsOf({}, { ...ENV, ...wrong })).toThrow(reason)
  })

  test('takes an empty variable for one that is not set', () => {
    const names = ['HOST', 'PORT', 'WEBHOOK_URL', 'WEBHOOK_KEY', 'EGRESS_MAX', 'GIVE_UP', 'KEYS']
    const env = { ...ENV, ...Object.fromEntries(names.map((name) => [name, ''])) }
    const { egress, ...options } = recorderOptionsOf({}, env)
    const { egress: usual, ...usualOptions } = recorderOptionsOf({}, ENV)
    expect(options).toEqual(usualOptions)
    expect(egress).toMatchObject({ recordingMax: usual.recordingMax })
  })

  test('does not start without any key', () => {
    const env = { ...ENV, LIVEKIT_API_KEY: '', LIVEKIT_API_SECRET: '' }
    expect(() => recorderOptionsOf({}, env)).toThrow('no API keys: set LIVEKIT_API_KEY and')
  })
})
