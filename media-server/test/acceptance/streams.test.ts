import { describe, expect } from 'vitest'
import { test } from './harness/fixtures.ts'
import type { Client } from './harness/page.ts'

describe('a data stream', () => {
  test('carries a text of 100 KB completely', async ({ join }) => {
    const [alice, bob] = await Promise.all([join('alice'), join('bob')])
    await bob.run(({ room, notes }) => {
      room.registerTextStreamHandler('letters', (reader, { identity }) => {
        void reader.readAll().then((text) => {
          notes['letter'] = { identity, text }
        })
      })
    })
    await alice.until('another', ({ room }) => room.remoteParticipants.size === 1)
    await alice.run(({ room }) =>
      // Not compressible, so that it is truly cut into packets.
      room.localParticipant.sendText(
        Array.from({ length: 100_000 }, () => String.fromCharCode(33 + Math.random() * 94)).join(
          '',
        ),
        { topic: 'letters' },
      ),
    )

    await bob.until('the letter', ({ notes }) => notes['letter'] !== undefined)
    const letter = await bob.run(
      ({ notes }) => notes['letter'] as { identity: string; text: string },
    )
    expect([letter.identity, letter.text.length]).toEqual(['alice', 100_000])
  })

  test('carries a text as it is written', async ({ join }) => {
    const [alice, bob] = await Promise.all([join('alice'), join('bob')])
    await bob.run(({ room, notes }) => {
      const heard: string[] = []
      notes['heard'] = heard
      const listen = async (words: AsyncIterable<string>): Promise<void> => {
        for await (const word of words) heard.push(word)
        notes['isOver'] = true
      }
      room.registerTextStreamHandler('dictation', (reader) => void listen(reader))
    })
    await alice.until('another', ({ room }) => room.remoteParticipants.size === 1)
    await alice.run(async ({ room, notes }) => {
      const writer = await room.localParticipant.streamText({ topic: 'dictation' })
      notes['writer'] = writer
      await writer.write('first ')
    })
    await bob.until('the first word, before the end', ({ notes }) => {
      return (notes['heard'] as string[]).join('') === 'first ' && !notes['isOver']
    })

    await alice.run(async ({ notes }) => {
      const writer = notes['writer'] as {
        write(text: string): Promise<void>
        close(): Promise<void>
      }
      await writer.write('second')
      await writer.close()
    })
    await bob.until('the end', ({ notes }) => notes['isOver'] === true)
    expect(await bob.run(({ notes }) => (notes['heard'] as string[]).join(''))).toBe('first second')
  })

  test('carries a file of 1 MB byte for byte', async ({ join }) => {
    const [alice, bob] = await Promise.all([join('alice'), join('bob')])
    await bob.run(({ room, notes }) => {
      const store = async (name: string, parts: Uint8Array[]): Promise<void> => {
        const bytes = new Uint8Array(await new Blob(parts as BlobPart[]).arrayBuffer())
        const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
        notes['file'] = { name, size: bytes.length, digest: digest.join() }
      }
      room.registerByteStreamHandler('files', (reader) => {
        void reader.readAll().then((parts) => store(reader.info.name, parts))
      })
    })
    await alice.until('another', ({ room }) => room.remoteParticipants.size === 1)
    const digest = await alice.run(async ({ room }) => {
      const bytes = new Uint8Array(1024 * 1024)
      for (let start = 0; start < bytes.length; start += 65_536) {
        crypto.getRandomValues(bytes.subarray(start, start + 65_536))
      }
      await room.localParticipant.sendFile(new File([bytes], 'handout.bin'), { topic: 'files' })
      return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)).join()
    })

    await bob.until('the file', ({ notes }) => notes['file'] !== undefined)
    expect(await bob.run(({ notes }) => notes['file'])).toEqual({
      name: 'handout.bin',
      size: 1024 * 1024,
      digest,
    })
  })
})

function greet({ room }: Client, destinationIdentity: string): Promise<string> {
  return room.localParticipant.performRpc({
    destinationIdentity,
    method: 'greet',
    payload: 'hello',
  })
}

describe('a remote call', () => {
  test('is answered, in both directions', async ({ join }) => {
    const [alice, bob] = await Promise.all([join('alice'), join('bob')])
    for (const client of [alice, bob]) {
      await client.until('another', ({ room }) => room.remoteParticipants.size === 1)
      await client.run(({ room }) => {
        room.registerRpcMethod('greet', async ({ callerIdentity, payload }) => {
          return `${payload} ${callerIdentity}, I am ${room.localParticipant.identity}`
        })
      })
    }
    expect(await alice.run(greet, 'bob')).toBe('hello alice, I am bob')
    expect(await bob.run(greet, 'alice')).toBe('hello bob, I am alice')
  })

  test('of an unknown method fails with its code', async ({ join }) => {
    const [alice] = await Promise.all([join('alice'), join('bob')])
    await alice.until('another', ({ room }) => room.remoteParticipants.size === 1)

    const code = await alice.run(({ room }) =>
      room.localParticipant
        .performRpc({ destinationIdentity: 'bob', method: 'absent', payload: '' })
        .then(
          () => 0,
          (error: { code: number }) => error.code,
        ),
    )
    expect(code).toBe(1400)
  })
})
