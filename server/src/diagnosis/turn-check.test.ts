import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { answerOfTurn } from '../testing/played-turn.ts'
import { checkTurn } from './turn-check.ts'

const HOST = '127.0.0.1'
const USER = { username: 'user', credential: 'word' }

/** Answers every request for a relay, or refuses it. */
async function startTurn({ isRefusing = false } = {}): Promise<string> {
  const socket = createSocket('udp4')
  socket.on('message', (bytes, { port }) => {
    const answer = answerOfTurn(bytes, port, { isRefusing })
    if (answer !== undefined) socket.send(answer, port, HOST)
  })
  socket.bind(0, HOST)
  await once(socket, 'listening')
  onTestFinished(() => void socket.close())
  return `turn:${HOST}:${socket.address().port}?transport=udp`
}

/** A port at which nothing listens. */
async function emptyPort(): Promise<number> {
  const server = createServer().listen(0, HOST)
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

const offer = (...urls: string[]) => [{ urls, ...USER }]

test.each([
  ['wss://live.test', ['stun:live.test:3478'], 'warn'],
  ['wss://live.test', [], 'warn'],
  ['ws://localhost:7880', [], 'ok'],
  ['https://interview.localhost', [], 'ok'],
  ['https://localhost.example.com', [], 'warn'],
])('at %s, with %j offered and no TURN: %s', async (publicUrl, urls, result) => {
  expect(await checkTurn(publicUrl, offer(...urls))).toMatchObject({ result })
})

test('a TURN server that gives a relay is right, also beside one of STUN', async () => {
  const url = await startTurn()
  expect(await checkTurn('wss://live.test', offer('stun:live.test:3478', url))).toEqual({
    result: 'ok',
    detail: `TURN relays at ${url}`,
  })
})

test('one that refuses and one that is away are named, and not the one that is right', async () => {
  const [right, refusing] = [await startTurn(), await startTurn({ isRefusing: true })]
  const port = await emptyPort()
  const away = [`turn:${HOST}:${port}?transport=tcp`, `turns:${HOST}:${port}?transport=tcp`]
  const found = await checkTurn('wss://live.test', offer(right, refusing, ...away))
  expect(found.result).toBe('fail')
  for (const url of [refusing, ...away]) expect(found.detail).toContain(`relay at ${url} (`)
  expect(found.detail).not.toContain(right)
  expect(found.detail).not.toContain(USER.credential)
})

test('one that gives none at the port that LiveKit announces for TLS is mended by leading that port to it', async () => {
  const found = await checkTurn('wss://live.test', offer('turns:turn.invalid:443?transport=tcp'))
  expect(found).toMatchObject({ result: 'fail', mend: expect.stringContaining('turn.tls_port') })
})
