import { Room } from 'livekit-client'
import { expect, test } from 'vitest'
import { publishWithoutLayers } from './without-layers.ts'

type Engine = Room['engine']
type AddTrack = Parameters<Engine['addTrack']>[0]

/** What the library sends when a picture of one layer is published. */
async function sentBy({ client }: Engine): Promise<unknown> {
  let sent: unknown
  Object.assign(client, {
    sendRequest: async ({ value }: { value: unknown }) => {
      sent = value
    },
  })
  const request = { cid: 'camera', width: 640, height: 480, layers: [{ width: 640, height: 480 }] }
  await client.sendAddTrack(request as unknown as AddTrack)
  return sent
}

test('video is published without naming its layers, also after a restart', async () => {
  const room = new Room()
  publishWithoutLayers(room)
  // Again, as a page does that enters again.
  publishWithoutLayers(new Room())
  const withoutLayers = { cid: 'camera', width: 640, height: 480, layers: [] }
  expect(await sentBy(room.engine)).toEqual(withoutLayers)
  expect(await sentBy(new Room().engine)).toEqual(withoutLayers)
})
