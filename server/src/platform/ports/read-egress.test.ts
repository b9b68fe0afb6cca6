import { describe, expect, test } from 'vitest'
import { readEgress } from './read-egress.ts'

/** A composite of LiveKit Egress 1.14, by its notifications: 36.9 s, begun 5.8 s after the request. */
const MEASURED = {
  egressId: 'EG_sLZTEsYHyMfd',
  roomId: 'RM_PGLXGCSDPAcU',
  roomName: '019ddd6e-8a80-7000-8000-000000000001',
  sourceType: 'EGRESS_SOURCE_TYPE_WEB',
  status: 'EGRESS_COMPLETE',
  startedAt: '1795341600100000000',
  endedAt: '1795341644412000000',
  updatedAt: '1795341645020000000',
  roomComposite: {
    roomName: '019ddd6e-8a80-7000-8000-000000000001',
    fileOutputs: [{ filepath: 'tenant/recording-parts/one.mp4' }],
  },
  fileResults: [
    {
      filename: 'tenant/recording-parts/one.mp4',
      startedAt: '1795341605912000000',
      endedAt: '1795341642812000000',
      duration: '36900000000',
      size: '4521984',
    },
  ],
}

describe('the report of our recorder on an egress', () => {
  const track = { url: 'track:camera:person', duration: '4096', status: 'FAILED' }
  const failed = { ...track, error: 'no_media', lastRetryAt: '1795341600100000000' }

  test('names the tracks of which nothing comes, while it is active', () => {
    const streamResults = [failed, { url: 'track:microphone:person', duration: '7' }]
    const lack = { identity: 'person', track: 'camera', reason: 'no_media' }
    const active = { ...MEASURED, status: 'EGRESS_ACTIVE', streamResults }
    expect(readEgress(active)?.lacks).toEqual([{ ...lack, since: new Date(1_795_341_600_100) }])
    expect(readEgress({ ...MEASURED, streamResults })?.lacks).toEqual([])
  })

  test.each([
    ['a stream', { ...failed, url: 'rtmp://example.com/live' }],
    ['another reason', { ...failed, error: 'broken pipe' }],
    ['no time', track],
    ['no object', 'track:camera:person'],
  ])('ignores %s', (_what, result) => {
    const active = { ...MEASURED, status: 'EGRESS_ACTIVE', streamResults: [result] }
    expect(readEgress(active)?.lacks).toEqual([])
  })
})

describe('the report of LiveKit on an egress', () => {
  test('begins when its media do, and not with the request', () => {
    expect(readEgress(MEASURED)).toMatchObject({
      status: 'complete',
      startedAt: new Date(1_795_341_605_912),
      file: { durationSec: 36.9 },
    })
  })

  test('begins with its media, also in the older form', () => {
    const { fileResults, ...info } = MEASURED
    expect(readEgress({ ...info, file: fileResults[0] })).toMatchObject({
      startedAt: new Date(1_795_341_605_912),
    })
  })

  test.each([[[]], [[{ filename: 'one.mp4' }]], [[{ startedAt: '0' }]]])(
    'begins with its request while its file has no times: %j',
    (fileResults) => {
      const reported = readEgress({ ...MEASURED, status: 'EGRESS_ACTIVE', fileResults })
      expect(reported?.startedAt).toEqual(new Date(1_795_341_600_100))
    },
  )

  test('has no time that the database cannot hold', () => {
    const endedAt = '9000000000000000000000'
    expect(readEgress({ ...MEASURED, endedAt })?.endedAt).toBeNull()
  })

  test.each([
    ['End reason: Process killed; the worker was restarted', true],
    ['End reason: Disk failure', true],
    ['End reason: Disk nearly full', true],
    ['End reason: StopEgress API', false],
    ['End reason: StopEgress API; the worker was restarted', false],
    ['End reason: Source closed', false],
    ['End reason: Session limit reached', false],
    [undefined, false],
  ])('with the details "%s" says whether the recorder failed: %s', (details, expected) => {
    expect(readEgress({ ...MEASURED, details })).toMatchObject({ hasRecorderFailed: expected })
  })
})
