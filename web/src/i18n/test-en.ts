import type { TestDictionary } from './test-ja.ts'

export const testEn: TestDictionary = {
  pageTitle: 'Connection test',
  loading: 'Getting ready…',
  intro: {
    title: 'Connection test',
    lead: 'Before your interview, this checks your camera, your microphone and your internet line. It takes about one minute.',
    points: {
      devices:
        'First your camera and microphone are checked. Choose “Allow” when your browser asks.',
      line: 'Then your line is measured for about 25 seconds. This uses up to 15 MB of data.',
      recorded:
        'This test is recorded: the picture of your camera and the sound of your microphone are kept while the line is measured.',
      notRecorded:
        'Your picture and your voice are neither recorded nor sent. The line is measured with a generated picture and sound.',
    },
    agree: 'By pressing “Begin” you agree that your camera and microphone are used.',
    agreeRecorded:
      'By pressing “Begin” you agree that your camera and microphone are used, and to the recording.',
    begin: 'Begin',
    beginning: 'Beginning…',
    failed: 'The test could not begin. Check your internet connection and try again.',
  },
  devices: {
    title: 'Check your camera and microphone',
    lead: 'All is well when you see yourself and the bar moves while you speak.',
    heard: 'Did you hear the sound?',
    yes: 'Yes',
    no: 'No',
    heardYes: 'Speaker: heard',
    heardNo: 'Speaker: not heard. Check the volume and what is plugged in, then try again.',
    next: 'Measure the line',
    nextWithoutCamera: 'Go on without a camera',
    waiting: 'Waiting for the microphone',
    needsMicrophone: 'You can go on as soon as the microphone works.',
    end: 'End the test',
    endsIn: (sec) => `Without an answer the test ends in ${sec} seconds.`,
  },
  measuring: {
    title: 'Measuring your line',
    lead: 'Please keep this page open and in front for about 30 seconds.',
    recorded: 'Recording',
    progress: 'Progress',
    steps: {
      connecting: 'Connecting',
      baseline: 'Measuring how quickly your line answers',
      filling: 'Measuring how fast your line is',
      settling: 'Measured how fast your line is',
      counting: 'Measuring with as much as an interview sends',
      tcp: 'Measuring another way (TCP)',
    },
  },
  sending: {
    title: 'Sending the result',
    body: 'Nearly done. Please keep this page open.',
    failedTitle: 'The result could not be sent',
    failedBody: 'Check your internet connection and try again.',
    again: 'Send again',
  },
  done: {
    title: 'The test is done',
    body: 'Thank you. Your coordinator has the result. You can close this page now.',
    measured: 'What was measured',
    uplink: 'Sending speed',
    downlink: 'Receiving speed',
    mbps: (value) => `about ${value} Mbit/s`,
    picture: 'Picture that suits it',
    pictureOf: (size, rate) => `${size}, ${rate} pictures a second`,
    voiceOnly: 'Voice only',
    size: { '320x240': 'Small', '640x480': 'Medium', '1280x720': 'Large' },
    voice: 'How a voice is heard',
    voiceOf: (word, score) => `${word} (${score} out of 5)`,
    voiceWords: {
      clear: 'Very clear',
      good: 'Clear',
      fair: 'Understandable',
      poor: 'Sometimes hard to understand',
      bad: 'Hard to understand',
    },
    delay: 'There and back',
    ms: (value) => (value === '1' ? '1 millisecond' : `${value} milliseconds`),
    loss: 'Data that did not arrive',
    percent: (value) => `${value}%`,
    unknown: 'Could not be measured',
    devices: 'Devices',
    hints: 'What helps your line',
  },
  hint: {
    relay_only:
      'Your network allows a detour only. Try another Wi-Fi or a mobile connection as well.',
    tcp_only:
      'Your network allows only a way that does not suit pictures and voices. Try another Wi-Fi or a mobile connection as well.',
    high_loss: 'Some data gets lost on the way. Move closer to your Wi-Fi router, or use a cable.',
    high_rtt: 'A voice takes long to arrive. If you use a VPN, try without it.',
    high_jitter:
      'Data arrives unevenly. Stop watching videos and large downloads on the same line.',
    low_uplink:
      'The sending speed is low. Stop what other devices send, or try another line as well.',
    cpu_limited: 'Your device cannot keep up. Close apps and tabs that you do not need.',
  },
  kind: { camera: 'Camera', microphone: 'Microphone', speaker: 'Speaker' },
  result: {
    ok: 'Works',
    denied: 'Not allowed',
    not_found: 'Not found',
    in_use: 'Used by another app',
    failed: 'Could not be used',
    not_tested: 'Not checked',
  },
  failed: {
    title: 'The test did not get to its end',
    told: 'Your coordinator has what was found out until then.',
  },
  failure: {
    permission_denied:
      'The camera or the microphone was not allowed. Allow them in the settings of your browser, then try again.',
    no_device:
      'The camera or the microphone could not be used. Plug in the device, then try again.',
    unsupported_browser:
      'You cannot take part with this browser. Open the same link in a current version of Chrome, Edge, Safari or Firefox.',
    signaling_failed:
      'The service could not be reached. Check your internet connection, then try again.',
    media_failed:
      'Pictures and voices did not get through. The network of a company or school, or a VPN, may stop them. Try another line as well.',
    aborted_by_user: 'The page was closed, or the test was ended, before it was done.',
    timed_out: 'The test took too long. Try again where the line is better.',
    internal: 'Something unexpected went wrong. Please try again.',
  },
  again: {
    action: 'Test again',
    asking: 'Getting ready…',
    failed: 'It cannot begin right now. Please try again a little later.',
  },
  expired: {
    title: 'The time for this test has passed',
    body: 'You need a new link. Please ask the person who sent it to you.',
  },
  badLink: {
    title: 'This link does not work',
    body: 'It may not have been copied completely. Open the link from your invitation again, or ask the person who sent it to you.',
  },
  elsewhere: {
    title: 'Opened somewhere else',
    body: 'The same link was opened in another tab or on another device, and the test goes on there. You can close this page.',
  },
  unreachable: {
    title: 'We could not connect',
    body: 'Check your internet connection and try again.',
    again: 'Try again',
  },
}
