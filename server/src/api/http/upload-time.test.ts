import { createServer, request } from 'node:http'
import { type AddressInfo, Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import { refuseBrokenRequest } from './broken-request.ts'
import { allowUploadTime, hasUploadTime } from './upload-time.ts'

const TOO_SLOW = Object.assign(new Error('timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })

/** A connection as the server sees it, in the middle of a request. */
async function connectionOf(isUpload: boolean): Promise<{ socket: Socket; close: () => void }> {
  const server = createServer()
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const client = request({ port: (server.address() as AddressInfo).port, method: 'POST' })
  client.on('error', () => {})
  client.flushHeaders()
  const raw = await new Promise<{ socket: Socket }>((seen) => server.once('request', seen))
  // oxlint-disable-next-line typescript/no-explicit-any -- what a test needs of a request
  if (isUpload) allowUploadTime({ raw } as any)
  return {
    socket: raw.socket,
    close() {
      client.destroy()
      server.close()
    },
  }
}

describe('a request that takes longer than requests may', () => {
  test('is ended with 408', async () => {
    const { socket, close } = await connectionOf(false)
    refuseBrokenRequest(TOO_SLOW, socket)
    expect(socket.writableEnded).toBe(true)
    close()
  })

  test('continues when it is an upload, which only silence ends', async () => {
    const { socket, close } = await connectionOf(true)
    refuseBrokenRequest(TOO_SLOW, socket)
    expect([socket.writableEnded, socket.destroyed, socket.timeout]).toEqual([false, false, 30_000])
    close()
  })

  test('is no upload on a connection that waits for its next request', () => {
    const socket = new Socket()
    socket.setTimeout(65_000)
    expect(hasUploadTime(socket)).toBe(false)
    socket.destroy()
  })
})
