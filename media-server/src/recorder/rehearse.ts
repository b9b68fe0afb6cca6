import { setTimeout as delay } from 'node:timers/promises'
import { SessionDescription } from '@livekit/protocol'
import { type Log, reasonOf, silentLog } from '../lib/log.ts'
import { createPeer, watchInbound, withUsableCandidates } from '../rtc/peer.ts'
import { MediaConnection } from './media-connection.ts'

/** Recordings wait no longer than this, whatever keeps the rehearsal from connecting. */
const REHEARSAL_MAX_MS = 5000

/**
 * Connects once to a sender of our own. Code that runs for the first time takes several times as long: several first
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
  const hooks = {
    log: silentLog,
    onActivity: () => {},
    onConnected: () => connected.resolve(true),
  }
  const sender = createPeer(rtc, 'send', hooks)
  try {
    sender.createDataChannel('_reliable')
    for (const kind of ['audio', 'video'] as const) {
      sender.addTransceiver(kind, { direction: 'sendonly' })
    }
    await sender.setLocalDescription(await sender.createOffer())
    watchInbound(sender, new WeakSet(), hooks)
    const sdp = sender.localDescription?.sdp ?? ''
    const answer = await receiver.answer(new SessionDescription({ type: 'offer', sdp }))
    await sender.setRemoteDescription({ type: 'answer', sdp: withUsableCandidates(answer) })
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
