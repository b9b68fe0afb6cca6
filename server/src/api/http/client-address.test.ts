import type { Socket } from 'node:net'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { clientAddressOf, readAddress } from './client-address.ts'

// contract: Fields of an EntryHistory › `ip_address` is an IP address, without port, brackets or zone
test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['203.0.113.7:56789', '203.0.113.7'],
  ['2001:db8:85a3:8d3:1319:8a2e:370:9c82', '2001:db8:85a3:8d3:1319:8a2e:370:9c82'],
  ['[2001:db8::1]:8080', '2001:db8::1'],
  ['[2001:db8::1]', '2001:db8::1'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['fe80::1%eth0', 'fe80::1'],
  ['unknown', undefined],
  ['', undefined],
  ['<script>alert(1)</script>', undefined],
  ['203.000.113.007', undefined],
  ['1'.repeat(3000), undefined],
  ['_hidden', undefined],
])('%s is read as %s', (text, expected) => {
  expect(readAddress(text)).toBe(expected)
})

test('is that of the connection when the proxy wrote none', () => {
  const socket = { remoteAddress: '::ffff:127.0.0.1' } as Socket
  expect(clientAddressOf({ ip: 'unknown', socket })).toBe('127.0.0.1')
})

test.each([
  [(_address: string, hop: number) => hop < 1, '203.0.113.7'],
  [(_address: string, hop: number) => hop < 2, '198.51.100.1'],
  [['127.0.0.0/8', '203.0.113.0/24'], '198.51.100.1'],
  [['127.0.0.0/8'], '203.0.113.7'],
])('behind a content network and a balancer, trust decides (%#)', async (trustProxy, expected) => {
  const app = Fastify({ trustProxy })
  app.get('/', async (request) => clientAddressOf(request))
  const headers = { 'x-forwarded-for': '198.51.100.1, 203.0.113.7' }
  expect((await app.inject({ url: '/', headers })).body).toBe(expected)
  await app.close()
})
