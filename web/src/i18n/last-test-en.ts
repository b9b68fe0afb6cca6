import type { LastTestDictionary } from './last-test-ja.ts'

export const lastTestEn: LastTestDictionary = {
  title: 'Connection tests',
  none: 'No connection test',
  at: (when) => `Connection test ${when}`,
  colon: ': ',
  separator: ', ',
  picture: (resolution, frameRate) => `video up to ${resolution}, ${frameRate} fps`,
  noVideo: 'connection too weak for video',
  sound: (mos) => `audio ${mos} of 4.5`,
  failure: {
    permission_denied: 'camera or microphone blocked',
    no_device: 'no camera or microphone',
    unsupported_browser: 'unsupported browser',
    signaling_failed: 'service unreachable',
    media_failed: 'video and audio blocked',
    aborted_by_user: 'cancelled',
    timed_out: 'timed out',
    internal: 'internal error',
  },
  warning: {
    relay_only: 'relay only',
    tcp_only: 'TCP only',
    high_loss: 'high packet loss',
    high_rtt: 'high latency',
    high_jitter: 'high jitter',
    low_uplink: 'low upload speed',
    cpu_limited: 'device overloaded',
  },
}
