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
const TRIES = 3
const clients: TestClient[] = []

/**
 * Runs people who speak without a pause, in a process of their own. A list of people lets them enter with a closed microphone; it
 * answers `ready` when they are inside. `speak` opens all microphones.
 */
process.on('message', (message: Speaker[] | 'speak') => {
  if (message === 'speak') for (const client of clients) client.mute(false)
  else enter(message).catch((error: unknown) => process.send?.(String(error)))
})
process.on('disconnect', () => process.exit())
// The signalling throws out of reach when a connection could not be opened in time; its join is refused as well.
process.on('uncaughtException', () => {})

async function enter(speakers: readonly Speaker[]): Promise<void> {
  for (const speaker of speakers) clients.push(await enterOne(speaker, TRIES))
  process.send?.('ready')
}

async function enterOne({ place, url, token }: Speaker, tries: number): Promise<TestClient> {
  const opus = await opusPackets(numbersOf(place))
  const client = new TestClient(url.replace(/^ws/, 'http'), token, { opus })
  try {
    await client.join(CONNECT_MS)
    await client.publish(CONNECT_MS)
    client.mute(true)
    return client
  } catch (error) {
    await client.leave()
    if (tries <= 1) throw error
    return enterOne({ place, url, token }, tries - 1)
  }
}
