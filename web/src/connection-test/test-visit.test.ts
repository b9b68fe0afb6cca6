import type {
  ConnectionTestReport,
  DeviceFacts,
} from '@interview-room/contract/connection-tests.ts'
import { describe, expect, test } from 'vitest'
import type { Support } from '../devices/support.ts'
import type { LiveAnswer } from '../live/live-request.ts'
import type { RunResult } from './measured-run.ts'
import type { TestApi, TestFacts } from './test-api.ts'
import { TestVisit } from './test-visit.ts'

const FACTS: TestFacts = {
  id: 'test-1',
  status: 'pending',
  name: null,
  locale: 'en',
  stream_resolution: '320x240',
  stream_frame_rate: 15,
  record: false,
  expires_at: '2026-01-02T00:00:00Z',
  measure_for_sec: 15,
  measured_sec: null,
  devices: null,
  summary: null,
  failure_reason: null,
  can_repeat: false,
}
const MEDIA = { url: 'wss://media', publisher_token: 'p', subscriber_token: 's' }
const DEVICES: DeviceFacts = { camera: 'ok', microphone: 'ok', speaker: 'ok' }
const UNMEASURED = {
  status: 'failed',
  reason: 'media_failed',
  baseline: null,
  samples: [],
} as const

const refused = (code: 'VALIDATION_ERROR' | 'UNAUTHORIZED' | 'OFFLINE') =>
  ({ ok: false, code, details: [] }) satisfies LiveAnswer<never>

interface World {
  support: Support
  /** An error is thrown. */
  result: RunResult | Error
  /** Number of attempts to send the result that fail. */
  lost: number
}

/** Opens a page of a test with a service that works. */
function open(change: Partial<World> = {}) {
  const world = {
    support: 'ok' as Support,
    result: UNMEASURED as World['result'],
    lost: 0,
    ...change,
  }
  const service = { facts: FACTS, reports: [] as ConnectionTestReport[], begun: 0 }
  const left: ConnectionTestReport[] = []
  const gone: string[] = []
  const listeners: (() => void)[] = []
  const isOpen = () => ['pending', 'running'].includes(service.facts.status)

  const api: TestApi = {
    look: async () => ({ ok: true, data: service.facts }),
    connected: async () => {
      if (!isOpen()) return refused('VALIDATION_ERROR')
      service.begun += 1
      service.facts = { ...service.facts, status: 'running' }
      return { ok: true, data: { media: MEDIA } }
    },
    report: async (report) => {
      if (world.lost-- > 0) return refused('OFFLINE')
      if (!isOpen()) return refused('VALIDATION_ERROR')
      service.reports.push(report)
      const failure_reason = report.failure_reason ?? null
      service.facts = { ...service.facts, status: report.status, failure_reason, can_repeat: true }
      return { ok: true, data: null }
    },
    reportLeaving: (report) => void left.push(report),
    repeat: async () => ({ ok: true, data: { connect_url: 'https://rooms/t/2#ticket=2' } }),
  }
  const visit = new TestVisit({
    api,
    support: world.support,
    otherPages: { announce: () => {}, listen: (listener) => void listeners.push(listener) },
    clientFacts: async () => ({}),
    measure: async () => {
      if (world.result instanceof Error) throw world.result
      return world.result
    },
    wait: async () => {},
    goTo: (address) => void gone.push(address),
  })
  return {
    visit,
    service,
    api,
    left,
    gone,
    phase: () => visit.getState().phase,
    announce: () => listeners.forEach((listener) => listener()),
  }
}

function trackInUse(): MediaStreamTrack {
  const track = { readyState: 'live', stop: () => void (track.readyState = 'ended') }
  return track as MediaStreamTrack
}

async function begun(change: Partial<World> = {}) {
  const page = open(change)
  await page.visit.load()
  await page.visit.begin()
  return page
}

describe('a visit to a test', () => {
  test('starts nothing before the person agrees', async () => {
    const { visit, service, phase } = open()
    await visit.load()
    expect(phase()).toBe('intro')
    expect(service.begun).toBe(0)
    await visit.begin()
    expect(phase()).toBe('devices')
    expect(service.facts.status).toBe('running')
    visit.leave()
  })

  test('asks for fresh tokens before it measures, and shows the result', async () => {
    const { visit, service, phase } = await begun()
    await visit.measure(DEVICES, null)
    expect(service.begun).toBe(2)
    expect(service.reports).toMatchObject([{ failure_reason: 'media_failed', devices: DEVICES }])
    expect(phase()).toBe('ended')
  })

  test('ends with an internal failure when the run breaks off unexpectedly', async () => {
    const { visit, service, phase } = await begun({ result: new TypeError('not a function') })
    await visit.measure(DEVICES, null)
    expect(service.reports).toMatchObject([{ failure_reason: 'internal', devices: DEVICES }])
    expect(phase()).toBe('ended')
  })

  test.each([
    ['has run', 'ended', undefined],
    ['broke off', 'ended', 'break'],
    ['was over already', 'ended', 'end'],
    ['cannot reach the service', 'ended', 'lose'],
    ['is shown by another page', 'elsewhere', 'displace'],
  ] as const)(
    'turns off camera and microphone when the recorded test %s',
    async (_how, page, trouble) => {
      const { visit, service, api, phase, announce } = await begun(
        trouble === 'break' ? { result: new TypeError('not a function') } : {},
      )
      if (trouble === 'end') service.facts = { ...service.facts, status: 'completed' }
      if (trouble === 'lose') api.connected = async () => refused('OFFLINE')
      if (trouble === 'displace') announce()
      const own = { voice: trackInUse(), picture: trackInUse() }
      await visit.measure(DEVICES, own)
      expect(phase()).toBe(page)
      expect(own).toMatchObject({
        voice: { readyState: 'ended' },
        picture: { readyState: 'ended' },
      })
    },
  )

  test.each([
    ['completed', 'ended'],
    ['failed', 'ended'],
    ['expired', 'ended'],
    ['running', 'intro'],
  ] as const)('of a test that is %s shows its %s page', async (status, page) => {
    const { visit, service, phase } = open()
    service.facts = { ...FACTS, status }
    await visit.load()
    expect(phase()).toBe(page)
  })

  test.each([
    ['UNAUTHORIZED', 'bad-link'],
    ['OFFLINE', 'unreachable'],
  ] as const)(
    'that is answered with %s shows the page of a link that is %s',
    async (code, page) => {
      const { visit, api, phase } = open()
      api.look = async () => refused(code)
      await visit.load()
      expect(phase()).toBe(page)
    },
  )

  test('of a test that has ended shows the result of the service', async () => {
    const { visit, service, phase } = open()
    await visit.load()
    service.facts = { ...FACTS, status: 'completed' }
    await visit.begin()
    expect(phase()).toBe('ended')
  })

  test('that cannot begin explains the reason, and can be retried', async () => {
    const { visit, api } = open()
    await visit.load()
    const { connected } = api
    api.connected = async () => refused('OFFLINE')
    await visit.begin()
    expect(visit.getState()).toMatchObject({ phase: 'intro', beginning: 'failed' })
    api.connected = connected
    await visit.begin()
    expect(visit.getState().phase).toBe('devices')
    visit.leave()
  })

  test('goes to a new test when the person wants to take it again', async () => {
    const { visit, gone } = await begun()
    await visit.measure(DEVICES, null)
    await visit.repeat()
    expect(gone).toEqual(['https://rooms/t/2#ticket=2'])
  })
})

describe('an early end', () => {
  test('by the person is reported with the reason on the screen', async () => {
    const { visit, service } = await begun()
    const devices = { ...DEVICES, microphone: 'denied' as const }
    visit.noteDevices(devices, 'permission_denied')
    await visit.giveUp()
    expect(service.reports).toEqual([
      { status: 'failed', failure_reason: 'permission_denied', devices },
    ])
  })

  test('by closing the page is reported while the page closes', async () => {
    const { visit, left } = await begun()
    visit.noteDevices(DEVICES, null)
    visit.leave()
    expect(left).toEqual([
      { status: 'failed', failure_reason: 'aborted_by_user', devices: DEVICES },
    ])
  })

  test('before the start, or after the report, reports nothing', async () => {
    const { visit, left } = open()
    await visit.load()
    visit.leave()
    await visit.begin()
    await visit.measure(DEVICES, null)
    visit.leave()
    expect(left).toEqual([])
  })

  test('by another page of the same test reports nothing', async () => {
    const { visit, service, left, phase, announce } = await begun()
    announce()
    expect(phase()).toBe('elsewhere')
    visit.leave()
    expect([service.reports, left]).toEqual([[], []])
  })

  test('by the media server, which admits the newest page, reports nothing', async () => {
    const { visit, service, left, phase } = await begun({ result: { status: 'displaced' } })
    await visit.measure(DEVICES, null)
    visit.leave()
    expect(phase()).toBe('elsewhere')
    expect([service.reports, left]).toEqual([[], []])
  })
})

describe('a result that cannot be sent', () => {
  test('is sent again until it arrives', async () => {
    const { visit, service, phase } = await begun({ lost: 3 })
    await visit.measure(DEVICES, null)
    expect(service.reports).toHaveLength(1)
    expect(phase()).toBe('ended')
  })

  test('is kept until the person sends it again, or leaves', async () => {
    const { visit, service, left } = await begun({ lost: 5 })
    await visit.measure(DEVICES, null)
    expect(visit.getState()).toMatchObject({ phase: 'sending', hasFailed: true })
    visit.leave()
    expect(left).toMatchObject([{ failure_reason: 'media_failed' }])
    await visit.resend()
    expect(service.reports).toHaveLength(1)
  })
})

describe('an unsupported browser', () => {
  test('that is too old fails the test', async () => {
    const { visit, service, phase } = open({ support: 'too-old' })
    await visit.load()
    expect(phase()).toBe('unsupported')
    expect(service.reports).toEqual([{ status: 'failed', failure_reason: 'unsupported_browser' }])
  })

  test.each(['in-app', 'insecure'] as const)(
    'that has an alternative (%s) leaves the test for that',
    async (support) => {
      const { visit, service, phase } = open({ support })
      await visit.load()
      expect(phase()).toBe('unsupported')
      expect(service.begun).toBe(0)
    },
  )
})
