import { setTimeout as delay } from 'node:timers/promises'
import { SessionDescription, TrackInfo, TrackType } from '@livekit/protocol'
import { type Log, reasonOf, silentLog } from '../log.ts'
import { PublishedTrack } from '../published-track.ts'
import { Subscriber } from '../subscriber.ts'
import { MediaConnection } from './media-connection.ts'

/** Whatever keeps it from connecting, recordings do not wait for it. */
const REHEARSAL_MAX_MS = 5000

/**
 * Connects once to a sender of our own. What runs for the first time takes several times as long: several first
 * recordings that are requested together would keep each other, and the answers to their requests, waiting.
 */
export async function rehearse(log: Log): Promise<void> {
  const begunAtMs = performance.now()
  const connected = Promise.withResolvers<boolean>()
  // Neither the ports nor the addresses of recordings.
  const rtc = {}
  const receiver = new MediaConnection({
    rtc,
    log: silentLog,
    findTrack: () => undefined,
    onConnected: () => {},
  })
  const sender: Subscriber = new Subscriber(rtc, {
    log: silentLog,
    onActivity: () => {},
    onConnected: () => connected.resolve(true),
    onDataChannel: () => {},
    sendOffer: ({ sdp, id, midToTrackId }) => {
      const offer = new SessionDescription({ type: 'offer', sdp, midToTrackId })
      receiver
        .answer(offer)
        .then((answer) => sender.takeAnswer(answer, id))
        .catch(connected.reject)
    },
  })
  try {
    for (const type of [TrackType.AUDIO, TrackType.VIDEO]) {
      const track = new PublishedTrack('', new TrackInfo({ sid: TrackType[type], type }))
      sender.add(track, { publisherSid: 'rehearsal', isHidden: true })
    }
    await sender.negotiate()
    const late = delay(REHEARSAL_MAX_MS, false, { ref: false })
    if (!(await Promise.race([connected.promise, late]))) throw new Error('not connected in time')
    const tookMs = Math.round(performance.now() - begunAtMs)
    log({ level: 'info', msg: 'rehearsed', tookMs })
  } catch (error) {
    log({ level: 'warn', msg: 'rehearsal failed', reason: reasonOf(error) })
  } finally {
    await Promise.allSettled([receiver.close(), sender.close()])
  }
}
