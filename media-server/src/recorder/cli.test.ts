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

  test('does not start without any key', () => {
    const env = { ...ENV, LIVEKIT_API_KEY: '', LIVEKIT_API_SECRET: '' }
    expect(() => recorderOptionsOf({}, env)).toThrow('no API keys: set LIVEKIT_API_KEY and')
  })
})
