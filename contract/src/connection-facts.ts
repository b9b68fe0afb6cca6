import { type Static, Type } from 'typebox'
import { ConnectionWarning, DeviceResult, StreamFrameRate, StreamResolution } from './enums.ts'
import { about, boolean, named, nullable, WITHOUT_NUL } from './envelope.ts'

// The measurements of a connection test. A figure that the browser does not provide is null.

const Text = Type.String({ maxLength: 64, pattern: WITHOUT_NUL })
/** The upper bound is far beyond any measurement, and is exact in every notation. */
const Figure = Type.Number({ minimum: 0, maximum: 1_000_000_000_000 })
const Whole = Type.Integer({ minimum: 0, maximum: 2_147_483_647 })

/** Descriptions that two members share. */
export const FAILURE = 'Why the test failed. Null unless `status` is `failed`.'
export const MEASURED =
  'Seconds in which media flowed during the counted measurement; at least 15 when completed.'

const word = (description: string) => nullable(Text, `${description} Null when unknown.`)
/** A measured number, never negative. */
export const figure = (description: string) =>
  nullable(Figure, `${description} Null when not measured.`)
const whole = (description: string) => nullable(Whole, `${description} Null when not measured.`)
const ratio = (description: string) =>
  nullable(Type.Number({ minimum: 0, maximum: 1 }), `${description} Null when not measured.`)

const spread = (what: string) =>
  about(
    named(
      'ConnectionTestSpread',
      Type.Object(
        { avg: figure('Mean value.'), max: figure('Highest value.') },
        { description: 'Mean and highest value.' },
      ),
    ),
    what,
  )

/** One direction of one medium under load. */
const Flow = named(
  'ConnectionTestFlow',
  Type.Object(
    {
      bitrate_kbps: figure('Bitrate in kbps, without headers and retransmissions.'),
      packet_loss_ratio: ratio('Lost packets as a share of all packets, 0 to 1.'),
      rtt_ms: figure('Mean round-trip time in milliseconds.'),
      jitter_ms: figure('Mean jitter in milliseconds, at the receiver.'),
      frame_rate: figure('Video frames per second.'),
      width: whole('Width of the video in pixels.'),
      height: whole('Height of the video in pixels.'),
      freeze_count: whole('How often the received video froze.'),
      limited_by_cpu_sec: figure('Seconds in which the processor limited the sent video.'),
      limited_by_bandwidth_sec: figure('Seconds in which the bandwidth limited the sent video.'),
    },
    { description: 'Audio or video in one direction.' },
  ),
)

export const ClientFacts = named(
  'ConnectionTestClient',
  Type.Object(
    {
      browser_name: word('Name of the browser.'),
      browser_version: word('Version of the browser.'),
      platform_name: word('Name of the operating system.'),
      platform_version: word('Version of the operating system.'),
      is_mobile: nullable(Type.Boolean(), 'Whether it is a phone or a tablet. Null when unknown.'),
    },
    { description: 'The browser of the respondent.' },
  ),
)

export const DeviceFacts = named(
  'ConnectionTestDevices',
  Type.Object(
    {
      camera: about(DeviceResult, 'Result of the camera check.'),
      microphone: about(DeviceResult, 'Result of the microphone check.'),
      speaker: about(DeviceResult, 'Result of the speaker check.'),
    },
    { description: 'Results of the device checks.' },
  ),
)

export const BaselineFacts = named(
  'ConnectionTestBaseline',
  Type.Object(
    {
      signaling: named(
        'ConnectionTestSignaling',
        Type.Object(
          {
            connected: boolean('Whether the browser reached the media server.'),
            connect_ms: figure('Milliseconds until it was connected.'),
          },
          { description: 'Signaling connection to the media server.' },
        ),
      ),
      media: named(
        'ConnectionTestMediaPath',
        Type.Object(
          {
            connected: boolean('Whether media got through.'),
            connect_ms: figure('Milliseconds until it was connected.'),
            protocol: word('Transport protocol: `udp`, `tcp` or `tls`.'),
            candidate_type: word('Type of the ICE candidate, such as `host` or `relay`.'),
          },
          { description: 'Media connection to the media server.' },
        ),
      ),
      rtt_ms: spread('Round-trip time in milliseconds.'),
      jitter_ms: spread('Jitter in milliseconds.'),
    },
    { description: 'The connection without load.' },
  ),
)

const flow = (description: string) => nullable(Flow, `${description} Null when not measured.`)

/** The download over TCP, after the counted part. A flow is null if no media of its kind arrived. */
const TcpFacts = named(
  'ConnectionTestTcp',
  Type.Object(
    {
      connected: boolean('Whether media got through over TCP.'),
      connect_ms: figure('Milliseconds from leaving UDP until media arrived again.'),
      audio: flow('Received audio.'),
      video: flow('Received video.'),
    },
    { description: 'Receiving over TCP instead of UDP.' },
  ),
)

const direction = (title: string, description: string) =>
  named(title, Type.Object({ audio: flow('Audio.'), video: flow('Video.') }, { description }))

export const LoadFacts = named(
  'ConnectionTestLoad',
  Type.Object(
    {
      uplink: direction('ConnectionTestUplink', 'What the browser sent.'),
      downlink: direction('ConnectionTestDownlink', 'What the browser received.'),
      downlink_tcp: nullable(
        TcpFacts,
        'Receiving over TCP. Null when the media server does not offer TCP besides UDP, or UDP was not in use.',
      ),
      available_outgoing_kbps: figure('Bandwidth in kbps under full load, up to about 4,000.'),
    },
    { description: 'The connection while it carried as much as an interview.' },
  ),
)

export const RecommendedFrameRate = nullable(
  StreamFrameRate,
  'Highest frame rate that the connection carries with that resolution. Null when there is none.',
)
export const RecommendedResolution = nullable(
  StreamResolution,
  'Highest resolution that the connection carries. Null when there is none.',
)
export const Warnings = Type.Array(ConnectionWarning, {
  description: 'What stood out. Empty when nothing did.',
})

export const SummaryFacts = named(
  'ConnectionTestSummary',
  Type.Object(
    {
      audio: named(
        'ConnectionTestAudioSummary',
        Type.Object(
          { mos: figure('Mean opinion score of the voice, 1 to 4.5 (ITU-T G.107).') },
          { description: 'Audio quality.' },
        ),
      ),
      video: named(
        'ConnectionTestVideoSummary',
        Type.Object(
          {
            recommended_resolution: RecommendedResolution,
            recommended_frame_rate: RecommendedFrameRate,
            limitation: nullable(
              Text,
              'What limited the sent video for most of the time: `cpu` or `bandwidth`. Null when nothing did.',
            ),
          },
          { description: 'Recommended video settings.' },
        ),
      ),
      packet_loss_ratio: ratio('Packet loss in the worse direction, 0 to 1.'),
      rtt_ms: figure('Round-trip time in milliseconds.'),
      jitter_ms: figure('Jitter in milliseconds.'),
      uplink_kbps: figure('Upload bandwidth in kbps; about 4,000 means "at least that much".'),
      downlink_kbps: figure('Download bandwidth in kbps; about 4,000 means "at least that much".'),
      warnings: Warnings,
    },
    { description: 'The measurement in a few numbers. It states facts and makes no judgement.' },
  ),
)
export type ClientFacts = Static<typeof ClientFacts>
export type DeviceFacts = Static<typeof DeviceFacts>
export type BaselineFacts = Static<typeof BaselineFacts>
export type LoadFacts = Static<typeof LoadFacts>
export type SummaryFacts = Static<typeof SummaryFacts>
