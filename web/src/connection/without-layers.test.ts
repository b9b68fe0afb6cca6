import { Room } from 'livekit-client'
import { expect, test } from 'vitest'
import { publishWithoutLayers } from './without-layers.ts'

type Engine = Room['engine']
type AddTrack = Parameters<Engine['addTrack']>[0]

/** The request that the library sends when it publishes video of one layer. */
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
  // A page that enters again does this.
  publishWithoutLayers(new Room())
  const withoutLayers = { cid: 'camera', width: 640, height: 480, layers: [] }
  expect(await sentBy(room.engine)).toEqual(withoutLayers)
  expect(await sentBy(new Room().engine)).toEqual(withoutLayers)
})
