import { describe, expect, test } from 'vitest'
import { loadConfig } from '../platform/config/config.ts'
import { TEST_ENVIRONMENT } from '../testing/deps.ts'
import { startSummary } from './start-summary.ts'

const API_KEY = 'ak_demo.a-secret-to-be-kept'

interface Start {
  env?: Record<string, string>
  isPlaygroundOpen?: boolean
  isTerminal?: boolean
  hasFfmpeg?: boolean
  fonts?: Partial<Record<'latin' | 'eastAsian', string>>
}

const FONTS = { latin: '/fonts/DejaVuSans.ttf', eastAsian: '/fonts/NotoSansCJK-Regular.ttc' }

/** The summary of a first start. */
function summaryOf({
  env = {},
  isPlaygroundOpen = false,
  isTerminal = true,
  hasFfmpeg = true,
  fonts: { latin, eastAsian } = FONTS,
}: Start): string {
  const config = loadConfig({ ...TEST_ENVIRONMENT, PUBLIC_URL: '', ...env })
  const plan = {
    dataDir: '/data',
    embedsDatabase: true,
    embedsMedia: true,
    isPlaygroundOpen,
    speech: undefined,
  }
  const demo = { isNew: true, local: { api_key: API_KEY, tenant_id: 'tenant' } }
  const machine = { hasFfmpeg, fonts: { latin, eastAsian } }
  const started = { plan, config, demo, databaseFolder: undefined, ...machine }
  return startSummary(started, { isTerminal })
}

describe('the summary of a start', () => {
  test('shows the API key in a terminal, at the first start', () => {
    expect(summaryOf({})).toContain(API_KEY)
  })

  test('writes no key and no secret into a file, and names their place', () => {
    const summary = summaryOf({ isTerminal: false })
    expect(summary).not.toContain(API_KEY.split('.')[1])
    expect(summary).not.toContain(TEST_ENVIRONMENT.LIVEKIT_API_SECRET)
    expect(summary).toMatch(/API key +in \/data\/local\.json/)
  })

  test('says for each missing part what does not work, and names one command that installs all', () => {
    expect(summaryOf({ hasFfmpeg: false, fonts: {} })).toContain(`
  Missing        ffmpeg 5 or later: without it, nothing can be recorded
                 fonts: without them, recordings do not show any names
                 To install: apt-get install ffmpeg fonts-noto-cjk
`)
  })

  test.each([
    [{ hasFfmpeg: false }, 'nothing can be recorded', 'apt-get install ffmpeg'],
    [
      { fonts: { latin: FONTS.latin } },
      'recordings do not show Japanese, Chinese or Korean names',
      'apt-get install fonts-noto-cjk',
    ],
  ])('names only what is missing: %j', (start, effect, command) => {
    const [, missing = ''] = summaryOf(start).split('  Missing ')
    expect(missing).toContain(`, ${effect}\n`)
    expect(missing).toContain(`To install: ${command}\n`)
    expect(missing.match(/without/g)).toHaveLength(1)
  })

  test('says nothing about a machine that lacks nothing', () => {
    expect(summaryOf({})).not.toMatch(/Missing|apt-get/)
  })

  test.each([
    [{}, /Open +http:\/\/localhost:3000\n/, /for this machine only; PLAYGROUND_OPEN=true/],
    [
      { env: { HOST: '0.0.0.0', PUBLIC_URL: 'http://192.168.1.5:3000' } },
      /Open +http:\/\/localhost:3000\n/,
      /for this machine only; PLAYGROUND_OPEN=true/,
    ],
    [
      { env: { HOST: '192.168.1.5' } },
      /Open +http:\/\/192\.168\.1\.5:3000\/health\n/,
      /for nobody: .* PLAYGROUND_OPEN=true/,
    ],
    [
      { env: { HOST: '192.168.1.5' }, isPlaygroundOpen: true },
      /Open +http:\/\/192\.168\.1\.5:3000\n/,
      /open to everybody who reaches this address/,
    ],
  ])('says for whom the playground is there: %j', (start, address, playground) => {
    const summary = summaryOf(start)
    expect(summary).toMatch(address)
    expect(summary).toMatch(playground)
  })
})
