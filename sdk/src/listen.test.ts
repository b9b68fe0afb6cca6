import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { Client } from './client.ts'
import { listen } from './listen.ts'

type Page = Awaited<ReturnType<Client['listEvents']>>

const event = (id: string, type: string): Page['items'][number] => ({
  id,
  version: '1',
  type,
  occurred_at: '2030-11-21T06:00:00.000Z',
  data: {},
})

test('listen forwards webhooks, and passes over what the feed alone has', async () => {
  const feed = [event('evt_1', 'retention.notice'), event('evt_2', 'participant.entered')]
  const stopped = new AbortController()
  const received: string[] = []
  const receiver = createServer((request, response) => {
    received.push(String(request.headers['webhook-id']))
    response.writeHead(204).end(() => stopped.abort())
  }).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const folder = mkdtempSync(path.join(tmpdir(), 'listen-'))
  const { port } = receiver.address() as AddressInfo
  const options = {
    to: `http://127.0.0.1:${port}/hooks`,
    state: path.join(folder, 'state.json'),
    all: true,
  }
  const page = { items: feed, next_cursor: null, has_more: false }
  await listen({ listEvents: async () => page }, options, stopped.signal)
  expect(new Set(received)).toEqual(new Set(['evt_2']))
  receiver.closeAllConnections()
  receiver.close()
  rmSync(folder, { recursive: true })
})
