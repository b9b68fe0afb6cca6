import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { EmulatedLine } from './emulated-line-transport.ts'
import { CLEAR_LINE, type LineSettings } from './emulated-line.ts'
import { silentLog } from './log.ts'

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  vi.useRealTimers()
})

describe('the emulated line of a participant', () => {
  test('holds back what its connections send and receive', async () => {
    const { socket } = onLine({ ...CLEAR_LINE, delayMs: 40 })
    await socket.transport.send(Buffer.from('out'))
    socket.transport.onData(Buffer.from('in'), [])
    await vi.advanceTimersByTimeAsync(39)
    expect(socket.seen).toEqual([])
    await vi.advanceTimersByTimeAsync(2)
    expect(socket.seen).toEqual(['sent out', 'received in'])
  })

  test('is not there while none is asked for, and changes while a connection lasts', async () => {
    const { socket, line } = onLine(undefined)
    await socket.transport.send(Buffer.from('1'))
    expect(socket.seen).toEqual(['sent 1'])
    line.settings = { ...CLEAR_LINE, isBlocked: true }
    await socket.transport.send(Buffer.from('2'))
    line.settings = undefined
    await socket.transport.send(Buffer.from('3'))
    expect(socket.seen).toEqual(['sent 1', 'sent 3'])
  })

  test('brings what is still under way before what comes after it has ended', async () => {
    const { socket, line } = onLine({ ...CLEAR_LINE, delayMs: 40 })
    await socket.transport.send(Buffer.from('1'))
    line.settings = undefined
    await socket.transport.send(Buffer.from('2'))
    expect(socket.seen).toEqual([])
    await vi.advanceTimersByTimeAsync(41)
    expect(socket.seen).toEqual(['sent 1', 'sent 2'])
  })

  test('is one for all connections: they share its rate', async () => {
    const { socket, line } = onLine({ ...CLEAR_LINE, kbps: 80 })
    const other = openSocket()
    line.emulated.meet({ protocols: [other] })
    await socket.transport.send(Buffer.alloc(972)) // 1000 bytes: 100 ms
    await other.transport.send(Buffer.alloc(972))
    await vi.advanceTimersByTimeAsync(150)
    expect([socket.seen.length, other.seen.length]).toEqual([1, 0])
    await vi.advanceTimersByTimeAsync(51)
    expect(other.seen).toHaveLength(1)
  })

  test('delivers nothing to a connection that has been closed', async () => {
    const { socket } = onLine({ ...CLEAR_LINE, delayMs: 40 })
    socket.transport.onData(Buffer.from('late'), [])
    socket.transport.closed = true
    await vi.advanceTimersByTimeAsync(100)
    expect(socket.seen).toEqual([])
  })

  test('meets a socket once, and no stream', async () => {
    const { socket, line } = onLine({ ...CLEAR_LINE, delayMs: 40 })
    line.emulated.meet({ protocols: [socket, {}] })
    socket.transport.onData(Buffer.from('in'), [])
    await vi.advanceTimersByTimeAsync(41)
    expect(socket.seen).toEqual(['received in'])
  })
})

function onLine(settings: LineSettings | undefined) {
  const now = { settings }
  const line = Object.assign(now, { emulated: new EmulatedLine(() => now.settings, silentLog) })
  const socket = openSocket()
  line.emulated.meet({ protocols: [socket] })
  return { line, socket }
}

function openSocket() {
  const seen: string[] = []
  const transport = {
    type: 'udp' as const,
    closed: false,
    onData: (data: Buffer, _address: unknown): void => void seen.push(`received ${String(data)}`),
    send: async (data: Buffer): Promise<void> => void seen.push(`sent ${String(data)}`),
  }
  return { seen, transport }
}
