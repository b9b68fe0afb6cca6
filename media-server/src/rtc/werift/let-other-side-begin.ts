import type { RTCPeerConnection } from 'werift'

const WANTS_TO_BE_BEGUN_WITH = /^a=setup:passive\r?$/m

/**
 * werift, where it begins DTLS, repeats records that the other side must take for replayed, so that the loss of one
 * packet could keep a connection from ever coming up. Browsers repeat their messages until they are answered. Lets the
 * other side begin; call it before the answer is made.
 */
export function letOtherSideBegin({ dtlsTransports }: RTCPeerConnection, offerSdp: string): void {
  if (WANTS_TO_BE_BEGUN_WITH.test(offerSdp)) return
  for (const transport of dtlsTransports) {
    if (transport.role === 'auto') transport.role = 'server'
  }
}
