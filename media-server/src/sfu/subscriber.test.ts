import { TrackInfo, TrackType } from '@livekit/protocol'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { RTCPeerConnection, RtpHeader, RtpPacket } from 'werift'
import { withoutGenerations } from '../rtc/werift/ice-restart.ts'
import { PublishedTrack } from './published-track.ts'
import { Subscriber } from './subscriber.ts'

const WAIT = { timeout: 120_000, interval: 20 }
const TEST_TIMEOUT_MS = 120_000
const EACH_ADDRESS_LINE = /^a=candidate:.*\r?\n/gm

interface Offer {
  sdp: string
  id: number
}

const open: { close: () => Promise<void> }[] = []

afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()))
})

/** A subscriber and the client at its other end, connected; offers are handed over by the test. */
async function connect() {
  const offers: Offer[] = []
  const heard: string[] = []
  const subscriber = new Subscriber(
    {},
    {
      log: () => {},
      onActivity: () => {},
      onConnected: () => {},
      onDataChannel: () => {},
      sendOffer: (offer) => offers.push(offer),
    },
  )
  const client = new RTCPeerConnection({
    iceServers: [],
    iceAdditionalHostAddresses: ['127.0.0.1'],
  })
  client.onDataChannel.subscribe((channel) => {
    channel.onMessage.subscribe((message) => heard.push(message.toString()))
  })
  open.push(subscriber, client)

  await subscriber.negotiate()
  const [first] = offers
  if (first === undefined) throw new Error('no offer')
  await subscriber.takeAnswer(await answer(client, first), first.id)
  await vi.waitFor(() => expect(subscriber.isConnected).toBe(true), WAIT)
  return { subscriber, client, offers, heard }
}

async function answer(client: RTCPeerConnection, { sdp }: Offer): Promise<string> {
  // A browser does not mind how many restarts the server counts; this library, as a client, would.
  await client.setRemoteDescription({ type: 'offer', sdp: withoutGenerations(sdp) })
  await client.setLocalDescription(await client.createAnswer())
  return client.localDescription?.sdp ?? ''
}

/** Checks the server's addresses, as a browser does once it has answered a restart. */
function check(client: RTCPeerConnection): void {
  void client.iceTransports[0]?.start().catch(() => undefined)
}

async function expectHeard(
  { subscriber, heard }: { subscriber: Subscriber; heard: string[] },
  text: string,
): Promise<void> {
  subscriber.sendData('reliable', Buffer.from(text))
  await vi.waitFor(() => expect(heard).toContain(text), WAIT)
}

describe('a resumed client', { timeout: TEST_TIMEOUT_MS }, () => {
  test('is reached although none of its new addresses is known', async () => {
    const pair = await connect()
    await expectHeard(pair, 'before')
    await pair.subscriber.restart()
    const offer = last(pair.offers)
    const sdp = (await answer(pair.client, offer)).replace(EACH_ADDRESS_LINE, '')
    await pair.subscriber.takeAnswer(sdp, offer.id)
    check(pair.client)
    await expectHeard(pair, 'after')
  })

  test('is reached although it never saw the offer of an earlier resume', async () => {
    const pair = await connect()
    await pair.subscriber.restart()
    await pair.subscriber.restart()
    const offer = last(pair.offers)
    const sdp = await answer(pair.client, offer)
    expect(sdp).toContain('generation 1')
    await pair.subscriber.takeAnswer(sdp, offer.id)
    check(pair.client)
    await expectHeard(pair, 'after')
  })

  test('is reached although the answer to a former offer is still being processed', async () => {
    const pair = await connect()
    await pair.subscriber.negotiate()
    const former = last(pair.offers)
    const formerAnswer = await answer(pair.client, former)

    await Promise.all([
      pair.subscriber.takeAnswer(formerAnswer, former.id),
      pair.subscriber.restart(),
    ])
    const offer = last(pair.offers)
    expect(offer.id).toBe(former.id + 1)
    await pair.subscriber.takeAnswer(await answer(pair.client, offer), offer.id)
    check(pair.client)
    await expectHeard(pair, 'after')
  })

  test('gets one offer after the other when a resume meets a negotiation', async () => {
    const pair = await connect()
    await Promise.all([pair.subscriber.negotiate(), pair.subscriber.restart()])
    expect(pair.offers.map(({ id }) => id)).toEqual([1, 2, 3])

    const offer = last(pair.offers)
    await pair.subscriber.takeAnswer(await answer(pair.client, offer), offer.id)
    check(pair.client)
    await expectHeard(pair, 'after')
  })
})

test(
  'nothing is kept of what a client no longer receives',
  async () => {
    const pair = await connect()
    const track = new PublishedTrack('cid', new TrackInfo({ sid: 'TR_AM', type: TrackType.AUDIO }))
    pair.subscriber.add(track, { publisherSid: 'PA', isHidden: false })
    const forwarder = pair.subscriber.forwarderOf(track.sid)
    await pair.subscriber.negotiate()
    const offer = last(pair.offers)
    await pair.subscriber.takeAnswer(await answer(pair.client, offer), offer.id)
    const header = new RtpHeader({ ssrc: 1, sequenceNumber: 1, timestamp: 1 })
    track.receive(new RtpPacket(header, Buffer.alloc(80)), '')
    const sender = forwarder?.transceiver.sender as unknown as { rtpCache: unknown[] }
    expect(Object.keys(sender.rtpCache)).toHaveLength(1)

    pair.subscriber.remove(track.sid)
    expect([track.receivers.size, sender.rtpCache.length]).toEqual([0, 0])
  },
  TEST_TIMEOUT_MS,
)

function last(offers: readonly Offer[]): Offer {
  const offer = offers.at(-1)
  if (offer === undefined) throw new Error('no offer')
  return offer
}
