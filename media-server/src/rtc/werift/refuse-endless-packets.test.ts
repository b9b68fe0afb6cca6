import { expect, test, vi } from 'vitest'
import { refuseEndlessPackets } from './refuse-endless-packets.ts'

const HEADER = '138813880000000100000000'

/** A transport whose receiver is set before and after it is guarded, as the library does. */
function guardedTransport() {
  const transport = { dataReceiver: (_packet: Buffer): void => {} }
  refuseEndlessPackets(transport)
  refuseEndlessPackets(transport)
  const receiver = vi.fn<(packet: Buffer) => void>()
  transport.dataReceiver = receiver
  const take = (hex: string) => transport.dataReceiver(Buffer.from(`${HEADER}${hex}`, 'hex'))
  return { receiver, take }
}

test.each([
  ['a chunk of no length', '0b000000'],
  ['a chunk shorter than its head', '0b000003'],
  ['a second chunk of no length', '0b00000404000000'],
  ['a parameter of no length in a heartbeat', '0400000800010000'],
  ['a parameter of no length in a reconfiguration', '82000008000d0000'],
  ['a parameter of no length in INIT', '010000180000000100001000000a000a00000001c0000000'],
])('%s does not reach the library', (_what, hex) => {
  const { receiver, take } = guardedTransport()
  take(hex)
  expect(receiver).not.toHaveBeenCalled()
})

test.each([
  ['no chunk', ''],
  ['an acknowledged cookie', '0b000004'],
  ['a heartbeat with its parameter', '0400000c0001000801020304'],
  ['INIT with a parameter', '010000180000000100001000000a000a00000001c0000004'],
  ['data that look like a part of no length', '000300140000000100000000000000330b000000'],
])('%s does', (_what, hex) => {
  const { receiver, take } = guardedTransport()
  take(hex)
  expect(receiver).toHaveBeenCalledOnce()
})
