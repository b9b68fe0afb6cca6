import { TestClient } from '@interview-room/media-server/src/recorder/test-client.ts'
import { opusPackets } from '@interview-room/server/src/testing/spoken-capture.ts'
import { numbersOf } from './said-numbers.ts'

/** A person with a media token, who says the numbers of this place. */
export interface Speaker {
  place: number
  url: string
  token: string
}

const CONNECT_MS = 60_000
const clients: TestClient[] = []

/**
 * Runs people who speak without a pause, in a process of their own. The first message lists them; it answers `ready` when everybody
 * is inside with a closed microphone. The second opens all microphones.
 */
process.on('message', (message: Speaker[] | 'speak') => {
  if (message === 'speak') for (const client of clients) client.mute(false)
  else void enter(message)
})
process.on('disconnect', () => process.exit())

async function enter(speakers: readonly Speaker[]): Promise<void> {
  for (const { place, url, token } of speakers) {
    const opus = await opusPackets(numbersOf(place))
    const client = new TestClient(url.replace(/^ws/, 'http'), token, { opus })
    await client.join(CONNECT_MS)
    await client.publish(CONNECT_MS)
    client.mute(true)
    clients.push(client)
  }
  process.send?.('ready')
}
