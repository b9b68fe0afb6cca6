import { once } from 'node:events'
import { request } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { PassThrough, Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { StorageError } from '../../platform/ports/storage.ts'
import { deleteObjectsJob } from '../../platform/storage/delete-objects.job.ts'
import { useControlPlane } from '../../testing/control-plane.ts'
import { file, multipartOf, SAMPLES } from '../../testing/multipart.ts'
import { runJobs } from '../../testing/run-jobs.ts'
import { waitFor } from '../../testing/wait-for.ts'
import { fullBody } from './part-body.ts'

const plane = useControlPlane()
let port = 0

beforeAll(async () => {
  await plane.app.listen({ host: '127.0.0.1', port: 0 })
  port = (plane.app.server.address() as AddressInfo).port
})

afterEach(() => vi.useRealTimers())

const FORM = multipartOf([
  ['file', file('plan.png', SAMPLES.png)],
  ['content_type', 'image'],
])

function open(sessionId: string) {
  return request({
    host: '127.0.0.1',
    port,
    method: 'POST',
    path: `/api/v1/sessions/${sessionId}/handouts`,
    headers: { authorization: plane.tenant.authorization, 'content-type': FORM.contentType },
  })
}

const askedDeletions = () => plane.database.db`
  select key from jobs where kind = 'delete-objects'
`

describe('an upload over the network', () => {
  test('whose sender disconnects midway leaves no file', async () => {
    const { session } = await plane.book()
    const before = plane.storage.objects.size
    const put = plane.storage.put.bind(plane.storage)
    const ended: boolean[] = []
    plane.storage.put = async (...args) => {
      const storing = put(...args)
      storing.then(
        () => ended.push(true),
        () => ended.push(false),
      )
      return storing
    }
    const sending = open(session.id)
    sending.on('error', () => {})
    sending.write(FORM.payload.subarray(0, 250))
    await waitFor(async () => (await askedDeletions()).length === 1)
    sending.destroy()
    await waitFor(() => ended.length === 1)
    plane.storage.put = put
    expect([ended, plane.storage.objects.size]).toEqual([[false], before])
    await runJobs(plane.database.db, deleteObjectsJob(plane.deps))
    expect((await plane.tenant.get(`/sessions/${session.id}/handouts`)).data.items).toEqual([])
  })

  test('has a deletion job before its first byte is stored', async () => {
    const { session } = await plane.book()
    const seen: number[] = []
    const put = plane.storage.put.bind(plane.storage)
    plane.storage.put = async (...args) => {
      seen.push((await askedDeletions()).length)
      return put(...args)
    }
    const sending = open(session.id)
    sending.end(FORM.payload)
    const [answer] = await once(sending, 'response')
    plane.storage.put = put
    expect([answer.statusCode, seen]).toEqual([201, [1]])
    expect(await askedDeletions()).toHaveLength(0)
    answer.resume()
  })

  test('that is too large is answered while it is being sent, and the connection stays usable', async () => {
    const { session } = await plane.book()
    const large = Buffer.alloc(40 * 1024 * 1024)
    SAMPLES.png.copy(large)
    const refused = multipartOf([['file', file('a.png', large)]])
    const socket = connect(port, '127.0.0.1')
    const answers = text(socket)
    for (const { payload, contentType } of [refused, FORM]) {
      socket.write(
        [
          `POST /api/v1/sessions/${session.id}/handouts HTTP/1.1`,
          'Host: rooms.test',
          `Authorization: ${plane.tenant.authorization}`,
          `Content-Type: ${contentType}`,
          `Content-Length: ${payload.length}`,
          `Connection: ${contentType === FORM.contentType ? 'close' : 'keep-alive'}`,
          '',
          '',
        ].join('\r\n'),
      )
      socket.write(payload)
    }
    const statuses = (await answers).match(/HTTP\/1\.1 \d+/g)
    expect(statuses).toEqual(['HTTP/1.1 413', 'HTTP/1.1 201'])
  })

  test('whose storage fails at its first byte is 503, however much is still to come', async () => {
    const { session } = await plane.book()
    const put = plane.storage.put.bind(plane.storage)
    plane.storage.put = async () => {
      throw new StorageError('no space left')
    }
    const sending = open(session.id)
    const rest = [FORM.payload.subarray(0, 300), Buffer.alloc(5_000_000)]
    const sent = pipeline(Readable.from(rest), sending)
    const [answer] = await once(sending, 'response')
    plane.storage.put = put
    expect(answer.statusCode).toBe(503)
    answer.resume()
    await sent
  })
})

describe('a part of a form', () => {
  test('that does not end within half an hour is aborted', async () => {
    vi.useFakeTimers()
    const body = new PassThrough()
    const reading = fullBody(body)
    const ended = reading.next().catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(30 * 60_000)
    expect(await ended).toMatchObject({ code: 'INVALID_REQUEST' })
  })
})
