import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import { RTCDtlsTransport } from 'werift'
import { checkHttp2 } from './http2-check.ts'

/** Ends TLS for these protocols. */
async function startProxy(...ALPNProtocols: string[]): Promise<string> {
  const { certPem: cert, privateKey: key } = await RTCDtlsTransport.SetupCertificate()
  const server = createServer({ cert, key, ALPNProtocols }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return `https://localhost:${(server.address() as AddressInfo).port}`
}

test.each([
  ['ok', ['h2', 'http/1.1']],
  ['warn', ['http/1.1']],
  ['warn', []],
])('%s where TLS offers %j', async (result, protocols) => {
  const publicUrl = await startProxy(...protocols)
  const found = await checkHttp2(publicUrl)
  expect(found).toMatchObject({ result, detail: expect.stringContaining(publicUrl) })
  expect(found.mend === undefined).toBe(result === 'ok')
})

test('without TLS there is nothing to mend', async () => {
  expect(await checkHttp2('http://localhost:3000')).toMatchObject({ result: 'ok' })
})

test('throws where nothing listens', async () => {
  await expect(checkHttp2('https://localhost:1')).rejects.toThrow('ECONNREFUSED')
})
