import {
  type RTCIceCandidateInit,
  RTCPeerConnection,
  RTCRtpCodecParameters,
  type RTCRtpHeaderExtensionParameters,
  useAbsSendTime,
  useAudioLevelIndication,
  useFIR,
  useNACK,
  usePLI,
  useRepairedRtpStreamId,
  useSdesMid,
  useSdesRTPStreamId,
  useTransportWideCC,
} from 'werift'
import { type Log, reasonOf } from '../lib/log.ts'
import { ignoreFormerChecks, withoutGenerations } from './werift/ice-restart.ts'
import { refuseEndlessPackets } from './werift/refuse-endless-packets.ts'
import { refuseStrangers } from './werift/refuse-strangers.ts'
import { prepareSrtpContexts } from './werift/srtp-contexts.ts'

export interface RtcOptions {
  /** Lowest and highest UDP port; every peer connection takes one port per host address. */
  portRange?: [number, number]
  /** Host addresses to announce besides those of the network interfaces and the loopback. */
  addresses?: string[]
  /** Also accept media over TCP. */
  tcp?: boolean
  /** A TURN server elsewhere, offered to every client. */
  turn?: { urls: string[]; username: string; credential: string }
  /** Called with a participant's connection when its sockets are open: packets can be held up between them and it. */
  onSockets?: (connection: object, identity: string) => void
}

export interface PeerHooks {
  log: Log
  /** Something arrived from the other side: STUN, RTP, RTCP or data. */
  onActivity: () => void
  onConnected: () => void
  /** Called with the connection when its sockets are open. */
  onSockets?: (connection: object) => void
}

const LOOPBACK = '127.0.0.1'
/** Most candidates taken of a description, and as many trickled between two restarts of ICE. */
export const CANDIDATES_MAX = 100
const VP8_PAYLOAD = 96
const RTX_PAYLOAD = 97
const OPUS_PAYLOAD = 111
const MEDIA_SECTION = /^(?=m=)/m
const TRANSPORT_FEEDBACK = /^a=rtcp-fb:\S+ transport-cc\r?$/m
const OUR_CODECS = /^a=rtpmap:(\d+) (?:VP8|opus)\/.*\r\n/gm

/** A peer connection that negotiates VP8 and Opus only, and reports what it hears. */
export function createPeer(rtc: RtcOptions, direction: 'receive' | 'send', hooks: PeerHooks) {
  const pc = new RTCPeerConnection({
    // Never the library's default: it asks a public STUN server.
    iceServers: [],
    iceUseIpv6: false,
    iceUseTcp: rtc.tcp ?? false,
    iceAdditionalHostAddresses: [LOOPBACK, ...(rtc.addresses ?? [])],
    iceFilterStunResponse: () => {
      hooks.onActivity()
      return true
    },
    bundlePolicy: 'max-bundle',
    codecs: codecs(),
    headerExtensions: headerExtensions(direction),
    ...(rtc.portRange === undefined ? {} : { icePortRange: rtc.portRange }),
  })
  pc.connectionStateChange.subscribe((state) => {
    if (state === 'connected') guard(hooks.onConnected, hooks.log)
  })
  return pc
}

// An error thrown inside a callback of the library would break its state, or the process.
function guard(act: () => void, log: Log): void {
  try {
    act()
  } catch (error) {
    log({ level: 'error', msg: 'peer callback failed', reason: reasonOf(error) })
  }
}

/** Prepares the transports for packets, and watches what comes in; they exist only once a description is set. */
export function watchInbound(pc: RTCPeerConnection, watched: WeakSet<object>, hooks: PeerHooks) {
  for (const { connection } of pc.iceTransports) {
    // Every time: a restart may have opened more sockets.
    refuseStrangers(connection)
    hooks.onSockets?.(connection)
    if (watched.has(connection)) continue
    watched.add(connection)
    connection.onData.subscribe(hooks.onActivity)
    ignoreFormerChecks(connection)
  }
  for (const transport of pc.dtlsTransports) {
    if (watched.has(transport.iceTransport)) continue
    watched.add(transport.iceTransport)
    prepareSrtpContexts(transport)
    refuseEndlessPackets(transport)
  }
}

/** Adds a trickled candidate. Names of multicast DNS are left out: the peer is learnt from its checks. */
export async function addCandidate(
  pc: RTCPeerConnection,
  candidateInit: string,
  log: Log,
): Promise<void> {
  try {
    const candidate = JSON.parse(candidateInit) as RTCIceCandidateInit
    if (!candidate.candidate || candidate.candidate.includes('.local')) return
    await pc.addIceCandidate({
      ...candidate,
      candidate: withoutGenerations(candidate.candidate),
    })
  } catch (error) {
    log({ level: 'warn', msg: 'candidate rejected', reason: reasonOf(error) })
  }
}

/**
 * The description with those candidates that the library can take: none of multicast DNS, each once, and not more than
 * it has time for. A client with several addresses has many, in one section for each medium; the first section is
 * that of the transport which carries all.
 */
export function withUsableCandidates(sdp: string): string {
  const seen = new Set<string>()
  const usable = sdp.replace(/^a=candidate:.*\r?\n/gm, (line) => {
    if (line.includes('.local ') || seen.has(line) || seen.size >= CANDIDATES_MAX) return ''
    seen.add(line)
    return line
  })
  return withoutGenerations(usable)
}

/** The answer, which promises feedback for every packet in the sections where that was offered. */
export function withTransportFeedback(answerSdp: string, offerSdp: string): string {
  const offered = offerSdp.split(MEDIA_SECTION)
  return answerSdp
    .split(MEDIA_SECTION)
    .map((section, at) => {
      if (!TRANSPORT_FEEDBACK.test(offered[at] ?? '')) return section
      return section.replace(OUR_CODECS, '$&a=rtcp-fb:$1 transport-cc\r\n')
    })
    .join('')
}

// Transport-wide congestion feedback is left out on purpose: the library would send its own, which
// makes a browser's bandwidth estimate collapse. See withTransportFeedback.
function codecs() {
  const feedback = [useNACK(), usePLI(), useFIR()]
  const video = { clockRate: 90_000, direction: 'all' } as const
  return {
    audio: [
      new RTCRtpCodecParameters({
        mimeType: 'audio/opus',
        clockRate: 48_000,
        channels: 2,
        payloadType: OPUS_PAYLOAD,
        parameters: 'minptime=10;useinbandfec=1;usedtx=1',
      }),
    ],
    video: [
      new RTCRtpCodecParameters({
        ...video,
        mimeType: 'video/VP8',
        payloadType: VP8_PAYLOAD,
        rtcpFeedback: feedback,
      }),
      new RTCRtpCodecParameters({
        ...video,
        mimeType: 'video/rtx',
        payloadType: RTX_PAYLOAD,
        parameters: `apt=${VP8_PAYLOAD}`,
      }),
    ],
  }
}

function headerExtensions(direction: 'receive' | 'send'): {
  audio: RTCRtpHeaderExtensionParameters[]
  video: RTCRtpHeaderExtensionParameters[]
} {
  if (direction === 'send') {
    return { audio: [useSdesMid()], video: [useSdesMid()] }
  }
  const common = [useSdesMid(), useAbsSendTime(), useTransportWideCC()]
  return {
    audio: [...common, useAudioLevelIndication()],
    video: [...common, useSdesRTPStreamId(), useRepairedRtpStreamId()],
  }
}
