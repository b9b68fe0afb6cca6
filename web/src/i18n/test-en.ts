import { en } from './en.ts'
import type { TestDictionary } from './test-ja.ts'

export const testEn: TestDictionary = {
  pageTitle: 'Connection test',
  loading: 'Getting ready…',
  intro: {
    title: 'Connection test',
    lead: 'Check your camera, microphone and internet connection before your interview. It takes about one minute.',
    points: {
      devices: 'First, we check your camera and microphone. Choose “Allow” when your browser asks.',
      line: 'Then we measure your connection for about 25 seconds. This uses up to 15 MB of data.',
      recorded:
        'We record this test: your camera video and microphone audio are saved while we measure your connection.',
      notRecorded:
        'Your video and voice are neither recorded nor sent. We measure with generated video and audio.',
    },
    agree: 'By selecting “Start”, you agree to the use of your camera and microphone.',
    agreeRecorded:
      'By selecting “Start”, you agree to the use of your camera and microphone, and to the recording.',
    begin: 'Start',
    beginning: 'Starting…',
    failed: 'Couldn’t start the test. Check your internet connection, then try again.',
  },
  devices: {
    title: 'Check your camera and microphone',
    lead: 'You’re ready when you see yourself and the bar moves while you speak.',
    heard: 'Did you hear the sound?',
    yes: 'Yes',
    no: 'No',
    heardYes: 'Speaker: heard',
    heardNo: 'Speaker: not heard. Check the volume and the connected devices, then try again.',
    next: 'Measure my connection',
    nextWithoutCamera: 'Continue without a camera',
    needsMicrophone: 'You can continue when your microphone works.',
    end: 'End the test',
    endsIn: (sec) =>
      `If you do nothing, the test ends in ${sec === '1' ? '1 second' : `${sec} seconds`}.`,
  },
  measuring: {
    title: 'Measuring your connection',
    lead: 'Keep this page open and visible for about 30 seconds.',
    recorded: 'Recording',
    progress: 'Progress',
    steps: {
      connecting: 'Connecting',
      baseline: 'Measuring latency',
      filling: 'Measuring speed',
      settling: 'Speed measured',
      counting: 'Measuring with interview-sized data',
      tcp: 'Measuring over TCP',
    },
  },
  sending: {
    title: 'Sending the result',
    body: 'Almost done. Keep this page open.',
    failedTitle: 'Couldn’t send the result',
    failedBody: 'Check your internet connection and try again.',
    again: 'Send again',
  },
  done: {
    title: 'Test complete',
    body: 'Thank you. We’ve sent the result to your coordinator. You can close this page.',
    measured: 'Results',
    uplink: 'Upload speed',
    downlink: 'Download speed',
    mbps: (value) => `about ${value} Mbit/s`,
    picture: 'Recommended video',
    pictureOf: (size, rate) => `${size}, ${rate} frames per second`,
    voiceOnly: 'Audio only',
    size: { '320x240': 'Small', '640x480': 'Medium', '1280x720': 'Large' },
    voice: 'Voice quality',
    voiceOf: (word, score) => `${word} (${score} of 4.5)`,
    voiceRatings: {
      clear: 'Very clear',
      good: 'Clear',
      fair: 'Understandable',
      poor: 'Sometimes hard to understand',
      bad: 'Hard to understand',
    },
    delay: 'Round-trip time',
    ms: (value) => (value === '1' ? '1 millisecond' : `${value} milliseconds`),
    loss: 'Packet loss',
    percent: (value) => `${value}%`,
    unknown: 'Not measured',
    devices: 'Devices',
    hints: 'How to improve your connection',
  },
  hint: {
    relay_only:
      'Your network only allows relayed connections. Also try another Wi-Fi network or mobile data.',
    tcp_only:
      'Your network only allows TCP, which isn’t ideal for video and audio. Also try another Wi-Fi network or mobile data.',
    high_loss: 'Some data is lost. Move closer to your Wi-Fi router, or use a cable.',
    high_rtt: 'Your voice arrives late. If you use a VPN, try without it.',
    high_jitter: 'Data arrives unevenly. Pause videos and large downloads on the same network.',
    low_uplink: 'Your upload speed is low. Pause uploads on other devices, or try another network.',
    cpu_limited: 'Your device is overloaded. Close apps and tabs you don’t need.',
  },
  kind: { camera: 'Camera', microphone: 'Microphone', speaker: 'Speaker' },
  result: {
    ok: 'Works',
    denied: 'Blocked',
    not_found: 'Not found',
    in_use: 'Used by another app',
    failed: 'Not working',
    not_tested: 'Not tested',
  },
  failed: {
    title: 'The test didn’t finish',
    resultsSent: 'We’ve sent the results so far to your coordinator.',
  },
  failure: {
    permission_denied:
      'Your browser blocked the camera or microphone. Allow both in your browser settings, then try again.',
    no_device: 'Your camera or microphone isn’t working. Plug in the device, then try again.',
    unsupported_browser:
      'This browser isn’t supported. Open the same link in a current version of Chrome, Edge, Safari or Firefox.',
    signaling_failed: en.trouble.sockets,
    media_failed: en.trouble.media,
    aborted_by_user: 'You closed the page or cancelled the test before it finished.',
    timed_out: 'The test timed out. Try again with a better connection.',
    internal: 'Something unexpected went wrong. Please try again.',
  },
  again: {
    action: 'Test again',
    asking: 'Getting ready…',
    failed: 'Couldn’t start the test. Try again in a moment.',
  },
  expired: {
    title: 'This test has expired',
    body: 'You need a new link. Please ask the person who sent it to you.',
  },
  badLink: {
    title: 'This link doesn’t work',
    body: 'Part of it may be missing. Open the link from your invitation again, or ask the person who sent it to you.',
  },
  elsewhere: {
    title: 'Opened in another tab or device',
    body: 'You opened this link in another tab or on another device, and the test continues there. You can close this page.',
  },
  unreachable: {
    title: 'We couldn’t connect',
    body: en.trouble.service,
    again: 'Try again',
  },
}
