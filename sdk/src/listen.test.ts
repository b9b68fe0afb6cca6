import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import type { Client } from './client.ts'
import { ApiError } from './errors.ts'
import { listen } from './listen.ts'

type Page = Awaited<ReturnType<Client['listEvents']>>

const event = (id: string, type: string): Page['items'][number] => ({
  id,
  version: '1',
  type,
  occurred_at: '2030-11-21T06:00:00.000Z',
  data: {},
})

const cleanups: (() => void)[] = []
afterEach(() => {
  for (const cleanUp of cleanups.splice(0)) cleanUp()
  vi.restoreAllMocks()
})

function stateFile(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'listen-'))
  cleanups.push(() => rmSync(folder, { recursive: true }))
  return path.join(folder, 'state.json')
}

async function startReceiver(answer: RequestListener): Promise<string> {
  const receiver = createServer(answer).listen(0, '127.0.0.1')
  cleanups.push(() => (receiver.closeAllConnections(), receiver.close()))
  await once(receiver, 'listening')
  return `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
}

const pageOf = (items: Page['items']) => ({ items, next_cursor: null, has_more: false })

test('listen forwards webhooks, and skips events that are only in the feed', async () => {
  const feed = [event('evt_1', 'retention.notice'), event('evt_2', 'participant.entered')]
  const stopped = new AbortController()
  const received: string[] = []
  const to = await startReceiver((request, response) => {
    received.push(String(request.headers['webhook-id']))
    response.writeHead(204).end(() => stopped.abort())
  })
  const options = { to: `${to}/hooks`, state: stateFile(), all: true }
  await listen({ listEvents: async () => pageOf(feed) }, options, stopped.signal)
  expect(new Set(received)).toEqual(new Set(['evt_2']))
})

test('listen follows no redirect, as the service does, and prints the answer', async () => {
  const stopped = new AbortController()
  const asked: (string | undefined)[] = []
  const to = await startReceiver((request, response) => {
    asked.push(request.url)
    response.writeHead(302, { location: '/sign-in' }).end('elsewhere')
  })
  const printed = vi.spyOn(process.stdout, 'write').mockImplementation((line) => {
    if (String(line).includes('evt_1')) stopped.abort()
    return true
  })
  const options = { to: `${to}/hooks`, state: stateFile(), all: true }
  const feed = pageOf([event('evt_1', 'participant.entered')])
  await listen({ listEvents: async () => feed }, options, stopped.signal)
  expect(printed).toHaveBeenCalledWith('participant.entered evt_1 302\n')
  expect(asked).toEqual(['/hooks'])
})

const refuseEvents = async () => {
  const details = [{ field: 'after', code: 'NOT_ALLOWED', message: 'must be …' }] as const
  throw new ApiError({
    status: 400,
    code: 'INVALID_REQUEST',
    message: 'No.',
    details,
    requestId: null,
  })
}

test('listen explains a state file of another tenant, and one that is too old', async () => {
  const state = stateFile()
  writeFileSync(
    state,
    JSON.stringify({ secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', after: 'evt_1' }),
  )
  vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  const listening = listen(
    { listEvents: refuseEvents },
    { to: 'http://127.0.0.1:1', state },
    new AbortController().signal,
  )
  await expect(listening).rejects.toThrow(`${state} continues is not in this feed: delete the file`)
})
