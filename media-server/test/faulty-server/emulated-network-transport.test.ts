import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { silentLog } from '../../src/lib/log.ts'
import { EmulatedNetwork } from './emulated-network-transport.ts'
import { CLEAR_NETWORK, type NetworkSettings } from './emulated-network.ts'

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  vi.useRealTimers()
})

describe('the emulated network of a participant', () => {
  test('delays what its connections send and receive', async () => {
    const { socket } = onNetwork({ ...CLEAR_NETWORK, delayMs: 40 })
    await socket.transport.send(Buffer.from('out'))
    socket.transport.onData(Buffer.from('in'), [])
    await vi.advanceTimersByTimeAsync(39)
    expect(socket.seen).toEqual([])
    await vi.advanceTimersByTimeAsync(2)
    expect(socket.seen).toEqual(['sent out', 'received in'])
  })

  test('is absent by default, and can change while a connection lasts', async () => {
    const { socket, network } = onNetwork(undefined)
    await socket.transport.send(Buffer.from('1'))
    expect(socket.seen).toEqual(['sent 1'])
    network.settings = { ...CLEAR_NETWORK, isBlocked: true }
    await socket.transport.send(Buffer.from('2'))
    network.settings = undefined
    await socket.transport.send(Buffer.from('3'))
    expect(socket.seen).toEqual(['sent 1', 'sent 3'])
  })

  test('delivers packets under way before those sent after its end', async () => {
    const { socket, network } = onNetwork({ ...CLEAR_NETWORK, delayMs: 40 })
    await socket.transport.send(Buffer.from('1'))
    network.settings = undefined
    await socket.transport.send(Buffer.from('2'))
    expect(socket.seen).toEqual([])
    await vi.advanceTimersByTimeAsync(41)
    expect(socket.seen).toEqual(['sent 1', 'sent 2'])
  })

  test('is shared by all connections, with its rate', async () => {
    const { socket, network } = onNetwork({ ...CLEAR_NETWORK, kbps: 80 })
    const other = openSocket()
    network.emulated.attach({ protocols: [other] })
    await socket.transport.send(Buffer.alloc(972)) // 1000 bytes: 100 ms
    await other.transport.send(Buffer.alloc(972))
    await vi.advanceTimersByTimeAsync(150)
    expect([socket.seen.length, other.seen.length]).toEqual([1, 0])
    await vi.advanceTimersByTimeAsync(51)
    expect(other.seen).toHaveLength(1)
  })

  test('delivers nothing to a connection that has been closed', async () => {
    const { socket } = onNetwork({ ...CLEAR_NETWORK, delayMs: 40 })
    socket.transport.onData(Buffer.from('late'), [])
    socket.transport.closed = true
    await vi.advanceTimersByTimeAsync(100)
    expect(socket.seen).toEqual([])
  })

  test('applies to a socket once, and to no stream', async () => {
    const { socket, network } = onNetwork({ ...CLEAR_NETWORK, delayMs: 40 })
    network.emulated.attach({ protocols: [socket, {}] })
    socket.transport.onData(Buffer.from('in'), [])
    await vi.advanceTimersByTimeAsync(41)
    expect(socket.seen).toEqual(['received in'])
  })
})

function onNetwork(settings: NetworkSettings | undefined) {
  const now = { settings }
  const network = Object.assign(now, {
    emulated: new EmulatedNetwork(() => now.settings, silentLog),
  })
  const socket = openSocket()
  network.emulated.attach({ protocols: [socket] })
  return { network, socket }
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
