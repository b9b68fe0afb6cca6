import type { LastTestDictionary } from './last-test-ja.ts'

export const lastTestEn: LastTestDictionary = {
  title: 'Connection tests',
  none: 'No connection test',
  at: (when) => `Connection test ${when}`,
  picture: (resolution, frameRate) => `picture up to ${resolution}, ${frameRate} per second`,
  noPicture: 'no line for a picture',
  sound: (mos) => `sound ${mos} of 4.5`,
  failure: {
    permission_denied: 'camera or microphone was not allowed',
    no_device: 'no camera or no microphone',
    unsupported_browser: 'unsupported browser',
    signaling_failed: 'could not reach the service',
    media_failed: 'sound and picture could not get through',
    aborted_by_user: 'was broken off',
    timed_out: 'did not end in time',
    internal: 'the test itself had a problem',
  },
  warning: {
    relay_only: 'by relay only',
    tcp_only: 'TCP only',
    high_loss: 'much is lost',
    high_rtt: 'long delay',
    high_jitter: 'uneven delay',
    low_uplink: 'weak upstream',
    cpu_limited: 'device too slow',
  },
}
