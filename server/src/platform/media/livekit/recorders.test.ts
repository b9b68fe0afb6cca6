import { type AddressInfo, createServer, type Socket } from 'node:net'
import { beforeEach, describe, expect, test } from 'vitest'
import type { EgressSpec } from '../../ports/egress.ts'
import { type Media, MediaError } from '../../ports/media.ts'
import { createLivekitMedia } from './livekit-media.ts'
import {
  answerJson,
  type ProviderAnswer,
  type ProviderStub,
  useProviderStub,
} from './testing/provider-stub.ts'

const first = useProviderStub()
const second = useProviderStub()
/** A recorder that runs, but is not configured. */
const former = useProviderStub()

const NOBODY = 'http://127.0.0.1:9'
/** Long enough for an answer from the same process on a busy machine; each silent recorder costs it once. */
const TIMEOUTS = { roomsSec: 2, egressSec: 2 }
const LISTED = { egress_id: 'EG_1', room_name: 'room', status: 'EGRESS_ACTIVE' }
const UNKNOWN = answerJson(404, { code: 'not_found', msg: 'egress does not exist' })
const KNOWN = answerJson(200, LISTED)
const SILENT: ProviderAnswer = () => {}
const BROKEN: ProviderAnswer = (_call, response) => void response.destroy()

const addressOf = ({ config }: ProviderStub) => config.egressUrls[0] ?? ''
const callsOf = ({ calls }: ProviderStub) => calls.map(({ method }) => method)

function mediaOf(egressUrls: string[], drainedEgressUrls: string[] = []): Media {
  return createLivekitMedia({ ...first.config, egressUrls, drainedEgressUrls }, TIMEOUTS)
}

let media: Media
beforeEach(() => {
  media = mediaOf([addressOf(first), addressOf(second)])
})

const specAt = (recorder: string): EgressSpec => ({
  mediaRoom: 'room',
  recorder,
  identity: undefined,
  width: 1280,
  height: 720,
  frameRate: 15,
  videoKbps: 2500,
  output: { kind: 'file', path: '/srv/objects/part.mp4' },
})

async function failureOf(call: Promise<unknown>): Promise<MediaError> {
  const error = await call.then(
    () => undefined,
    (failure: unknown) => failure,
  )
  if (!(error instanceof MediaError)) throw new Error('did not fail')
  return error
}

describe('of two recorders', () => {
  test('each is asked first for every other egress', async () => {
    const turns = [1, 2, 3, 4].map(async () => media.recordersInTurn('room'))
    const asked = await Promise.all(turns)
    const isFirst = asked.map(([at]) => at === addressOf(first))
    expect(isFirst.filter(Boolean)).toHaveLength(2)
    expect(isFirst[0]).not.toBe(isFirst[1])
    const both = new Set([addressOf(first), addressOf(second)])
    expect(asked.map((each) => new Set(each))).toEqual([both, both, both, both])
  })

  test('the one that is named is asked, and no other', async () => {
    second.answer = KNOWN
    await media.startEgress(specAt(addressOf(second)))
    expect([callsOf(first), callsOf(second)]).toEqual([[], ['StartRoomCompositeEgress']])
  })

  test('a silent recorder is asked last, until it answers', async () => {
    first.answer = SILENT
    await failureOf(media.startEgress(specAt(addressOf(first))))
    const firsts = [await media.recordersInTurn('room'), await media.recordersInTurn('room')]
    expect(firsts.map(([at]) => at)).toEqual([addressOf(second), addressOf(second)])
    first.answer = KNOWN
    await media.startEgress(specAt(addressOf(first)))
    const again = [await media.recordersInTurn('room'), await media.recordersInTurn('room')]
    expect(again.map(([at]) => at)).toContain(addressOf(first))
  })

  test('a drained recorder gets no orders, but is still stopped and listed', async () => {
    media = mediaOf([addressOf(first)], [addressOf(second)])
    const turns = [await media.recordersInTurn('room'), await media.recordersInTurn('room')]
    expect(turns).toEqual([[addressOf(first)], [addressOf(first)]])
    second.answer = answerJson(200, { items: [LISTED] })
    const recorder = addressOf(second)
    const { egresses } = await media.listEgress('room', [recorder])
    expect(egresses).toMatchObject([{ egressId: 'EG_1', recorder }])
    await media.stopEgress({ egressId: 'EG_1', recorder })
    expect(callsOf(second)).toEqual(['ListEgress', 'StopEgress'])
  })
})

describe('a start that fails', () => {
  test.each([
    ['is full', answerJson(429, { code: 'resource_exhausted' }), true],
    ['has no LiveKit', answerJson(503, { code: 'unavailable' }), true],
    ['does not take our key', answerJson(401, 'no'), true],
    ['has a defect', answerJson(500, { code: 'internal' }), false],
    ['waited too long itself', answerJson(408, { code: 'deadline_exceeded' }), false],
    ['is behind a proxy that lost it', answerJson(502, 'bad gateway'), false],
    ['gives no answer', SILENT, false],
    ['breaks the connection', BROKEN, false],
  ])('where the recorder %s', async (_what, answer, hasNoEffect) => {
    first.answer = answer
    const error = await failureOf(media.startEgress(specAt(addressOf(first))))
    expect(error.hasNoEffect).toBe(hasNoEffect)
  })

  test('at an address where nobody listens has started nothing', async () => {
    media = mediaOf([NOBODY, addressOf(second)])
    const error = await failureOf(media.startEgress(specAt(NOBODY)))
    expect(error.hasNoEffect).toBe(true)
  })
})

describe('a stop', () => {
  test('goes only to the recorder of the egress', async () => {
    second.answer = UNKNOWN
    await media.stopEgress({ egressId: 'EG_1', recorder: addressOf(first) })
    expect([callsOf(first), callsOf(second)]).toEqual([['StopEgress'], []])
  })

  test('that its recorder does not answer is a failure, whatever others do', async () => {
    first.answer = SILENT
    second.answer = UNKNOWN
    const stopping = media.stopEgress({ egressId: 'EG_1', recorder: addressOf(first) })
    await expect(stopping).rejects.toThrow(MediaError)
  })

  test('of an unknown recorder goes to all, and is done when one knows the egress', async () => {
    first.answer = SILENT
    second.answer = answerJson(412, { code: 'failed_precondition', msg: 'has ended' })
    await media.stopEgress({ egressId: 'EG_1', recorder: null })
    expect([callsOf(first), callsOf(second)]).toEqual([['StopEgress'], ['StopEgress']])
  })

  test('of an unknown recorder is not done while one that is silent may be writing', async () => {
    first.answer = SILENT
    second.answer = UNKNOWN
    const stopping = media.stopEgress({ egressId: 'EG_1', recorder: null })
    await expect(stopping).rejects.toThrow(MediaError)
  })

  test('of an unknown recorder is done when no recorder knows the egress', async () => {
    first.answer = UNKNOWN
    second.answer = UNKNOWN
    await media.stopEgress({ egressId: 'EG_1', recorder: null })
    expect([callsOf(first), callsOf(second)]).toEqual([['StopEgress'], ['StopEgress']])
  })

  test('never calls an address that is configured no more, and is no success', async () => {
    first.answer = UNKNOWN
    second.answer = UNKNOWN
    await failureOf(media.stopEgress({ egressId: 'EG_1', recorder: addressOf(former) }))
    await failureOf(media.startEgress(specAt(addressOf(former))))
    expect(former.calls).toEqual([])
  })

  test('finds a recorder that is configured under another address now', async () => {
    first.answer = UNKNOWN
    second.answer = KNOWN
    await media.stopEgress({ egressId: 'EG_1', recorder: addressOf(former) })
    expect(former.calls).toEqual([])
  })
})

describe('a list', () => {
  test('names the recorder of each egress', async () => {
    first.answer = answerJson(200, { items: [LISTED] })
    second.answer = answerJson(200, { items: [{ ...LISTED, egress_id: 'EG_2' }] })
    const recorders = [addressOf(first), addressOf(second)]
    const { egresses, silent } = await media.listEgress('room', recorders)
    expect(egresses.map(({ egressId, recorder }) => [egressId, recorder])).toEqual([
      ['EG_1', addressOf(first)],
      ['EG_2', addressOf(second)],
    ])
    expect(silent).toEqual(new Set())
  })

  test('lacks the egresses of a silent recorder and names it as silent', async () => {
    first.answer = SILENT
    second.answer = answerJson(200, { items: [LISTED] })
    const owners = [addressOf(first), addressOf(second), addressOf(former), null]
    const { egresses, silent } = await media.listEgress('room', owners)
    expect(egresses.map(({ recorder }) => recorder)).toEqual([addressOf(second)])
    // An egress that the others do not have may be at the silent one.
    expect(silent).toEqual(new Set([addressOf(first), addressOf(former), null]))
    expect(former.calls).toEqual([])
  })

  test('does not wait for a silent recorder that has nothing to do with it', async () => {
    first.answer = SILENT
    second.answer = answerJson(200, { items: [LISTED] })
    await media.listEgress('room', [addressOf(first), addressOf(second)])
    first.calls = []
    const { silent } = await media.listEgress('room', [addressOf(second)])
    expect(silent).toEqual(new Set())
    expect(first.calls).toEqual([])
  })

  test('fails when none answers', async () => {
    first.answer = SILENT
    second.answer = BROKEN
    await expect(media.listEgress('room', [addressOf(first)])).rejects.toThrow(MediaError)
  })
})

/** Accepts connections, and never answers. */
async function listenDeaf(port = 0) {
  const taken = new Set<Socket>()
  const server = createServer((socket) => taken.add(socket))
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    taken,
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      for (const socket of taken) socket.destroy()
      server.close()
    },
  }
}

describe('an address', () => {
  test('where nobody listens is not reachable; one that is not configured is not called', async () => {
    media = mediaOf([NOBODY, addressOf(first)])
    expect(await media.isReachable(NOBODY)).toBe(false)
    expect(await media.isReachable(addressOf(first))).toBe(true)
    media = mediaOf([addressOf(first)])
    expect(await media.isReachable(NOBODY)).toBe(true)
  })

  test('is reachable while the process there answers nothing', async () => {
    const deaf = await listenDeaf()
    media = mediaOf([deaf.address, addressOf(first)])
    expect(await media.isReachable(deaf.address)).toBe(true)
    await expect(media.listRunning(deaf.address)).rejects.toThrow(MediaError)
    deaf.close()
  })

  test('that was not reachable a moment ago keeps no list waiting, and is silent in it', async () => {
    const deaf = await listenDeaf()
    media = mediaOf([deaf.address, addressOf(second)])
    second.answer = answerJson(200, { items: [LISTED] })
    deaf.close()
    expect(await media.isReachable(deaf.address)).toBe(false)
    const again = await listenDeaf(Number(new URL(deaf.address).port))
    const { egresses, silent } = await media.listEgress('room', [deaf.address, addressOf(second)])
    expect(egresses).toHaveLength(1)
    expect(silent).toEqual(new Set([deaf.address]))
    expect(again.taken.size).toBe(0)
    // Once it is reachable, it is asked again.
    expect(await media.isReachable(deaf.address)).toBe(true)
    await media.listEgress('room', [deaf.address, addressOf(second)])
    expect(again.taken.size).toBe(2)
    again.close()
  })
})

test('the running egresses of a recorder are requested only from it', async () => {
  const written = { status: 'EGRESS_ACTIVE', file_results: [{ size: '2000' }] }
  first.answer = answerJson(200, { items: [LISTED, { ...LISTED, ...written, egress_id: 'EG_2' }] })
  const running = await media.listRunning(addressOf(first))
  expect([...running.keys()]).toEqual(['EG_1', 'EG_2'])
  expect(running.get('EG_2')).toEqual({ writtenBytes: 2000, lacks: [] })
  expect(first.calls.map(({ method, body }) => [method, body])).toEqual([
    ['ListEgress', { active: true }],
  ])
  expect(second.calls).toEqual([])
  await expect(media.listRunning(addressOf(former))).rejects.toThrow(MediaError)
})
