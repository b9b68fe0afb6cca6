import { expect, test } from 'vitest'
import { opusPackets } from '../../../testing/spoken-capture.ts'
import { COUNTER_RATE, hearCounter, tonesOf } from '../../../testing/spoken-counter.ts'
import { waitFor } from '../../../testing/wait-for.ts'
import { createSoundDecoders } from './sound-decoders.ts'

test('the first word of a microphone is decoded from its first packet on', async () => {
  const said = tonesOf('4711')
  const packets = await opusPackets(Buffer.concat([said, Buffer.alloc(COUNTER_RATE)]))
  const heard: number[] = []
  const decoders = createSoundDecoders((_packet, pcm) => heard.push(...pcm))
  try {
    for (const opus of packets) decoders.decode({ identity: 'ann', track: 'TR_1', opus })
    await waitFor(() => heard.length === packets.length * 0.02 * COUNTER_RATE)
    expect(hearCounter(Int16Array.from(heard)).map(({ text }) => text)).toEqual([' 4711'])
  } finally {
    decoders.free()
  }
})
