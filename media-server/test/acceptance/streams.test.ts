import { describe, expect } from 'vitest'
import { test } from './harness/fixtures.ts'

describe('a data stream', () => {
  test('carries a text of 100 KB whole', async ({ join }) => {
    const [alice, bob] = await Promise.all([join('alice'), join('bob')])
    await bob.run(({ room, notes }) => {
      room.registerTextStreamHandler('letters', async (reader, { identity }) => {
        notes['letter'] = { identity, text: await reader.readAll() }
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
      room.registerTextStreamHandler('dictation', async (reader) => {
        const heard: string[] = []
        notes['heard'] = heard
        for await (const word of reader) heard.push(word)
        notes['isOver'] = true
      })
    })
    await alice.until('another', ({ room }) => room.remoteParticipants.size === 1)
    await alice.run(async ({ room, notes }) => {
      const writer = await room.localParticipant.streamText({ topic: 'dictation' })
      notes['writer'] = writer
      await writer.write('first ')
    })
    await bob.until('the first word, before the end', ({ notes }) => {
      return (notes['heard'] as string[] | undefined)?.join('') === 'first ' && !notes['isOver']
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
      room.registerByteStreamHandler('files', async (reader) => {
        const bytes = new Uint8Array(
          await new Blob((await reader.readAll()) as BlobPart[]).arrayBuffer(),
        )
        const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
        notes['file'] = { name: reader.info.name, size: bytes.length, digest: digest.join() }
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
    const greet = (destinationIdentity: string) =>
      [
        ({ room }: import('./harness/page.ts').Client, to: string) =>
          room.localParticipant.performRpc({
            destinationIdentity: to,
            method: 'greet',
            payload: 'hello',
          }),
        destinationIdentity,
      ] as const

    expect(await alice.run(...greet('bob'))).toBe('hello alice, I am bob')
    expect(await bob.run(...greet('alice'))).toBe('hello bob, I am alice')
  })

  test('of a method that is not there fails with its code', async ({ join }) => {
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
