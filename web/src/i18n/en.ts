import type { Dictionary } from './ja.ts'

const trouble: Dictionary['trouble'] = {
  service:
    'The service doesn’t answer. Check your internet connection. If your Wi-Fi has a sign-in page, sign in there first.',
  sockets:
    'This network, or security software, blocks a connection that calls need (WebSocket). Try another network, without a VPN, or a phone hotspot.',
  media:
    'This network blocks video and audio. Try another network, without a VPN, or a phone hotspot.',
}

export const en: Dictionary = {
  productName: 'Interview room',
  join: 'Join',
  joinWithout: {
    microphone: 'Join without a microphone',
    camera: 'Join without a camera',
    both: 'Join without a camera or microphone',
  },
  trouble,
  connecting: {
    title: 'Connecting…',
    lead: 'Keep this page open. You enter as soon as the connection is there.',
    stages: {
      entering: 'Entering the interview',
      signalling: 'Reaching the server',
      media: 'Video and audio',
    },
    done: 'Done',
    now: 'Connecting…',
    notYet: 'Not connected yet',
    stop: 'Stop connecting',
  },
  prejoin: {
    title: 'Get ready to join',
    lead: 'Check your camera and microphone first. Nobody can see you yet.',
    as: (name) => `You are joining as ${name}`,
    nameLabel: 'Your name',
    nameHint: 'Other participants see this name',
    allow: 'Choose “Allow” when your browser asks',
    cameraOff: 'Your camera is off',
    cameraStarting: 'Starting your camera…',
    blurring: 'Blurring your background…',
    levelLabel: 'Microphone level',
    levelHint: 'The bar moves when you speak',
    levelOff: 'Your microphone is off',
    levelSilent: 'Your microphone sends no sound: check its switch, or choose another one.',
    hearYourself: 'Hear yourself',
    hearRecording: 'Say something…',
    hearPlaying: 'Playing back…',
    tone: 'Test speaker',
    tonePlaying: 'Playing a sound…',
    preview: 'Camera preview',
  },
  observer: {
    title: { observer: 'Get ready to observe', platform_observer: 'Get ready to observe' },
    lead: 'Your camera and microphone are not used. Check that you can hear sound, then join.',
    unseen: 'Participants can’t see you.',
    badge: {
      observer: 'You are observing. Participants can’t see you.',
      platform_observer: 'You are observing. Participants can’t see you.',
    },
    nobodyYet: 'Waiting for the interview to start',
    nobodyYetHint: 'Participants appear here when they join.',
  },
  device: {
    microphone: 'Microphone',
    camera: 'Camera',
    speaker: 'Speaker',
    systemDefault: 'System default',
    unnamed: (number) => `Device ${number}`,
    menu: 'Devices',
    menuTitle: 'Choose devices',
    noise: 'Reduce background noise',
    blur: 'Blur my background',
    blurStarting: 'Starting. Others see your background until it is blurred.',
    noiseFailed: 'This browser can’t reduce noise. Others hear your microphone as it is.',
  },
  problem: {
    microphone: {
      denied: 'Microphone access is blocked',
      'not-found': 'No microphone found',
      busy: 'Another app is using the microphone',
      failed: 'Your microphone isn’t working',
    },
    camera: {
      denied: 'Camera access is blocked',
      'not-found': 'No camera found',
      busy: 'Another app is using the camera',
      failed: 'Your camera isn’t working',
    },
    speaker: {
      denied: 'We couldn’t switch to this speaker',
      'not-found': 'No speaker found',
      busy: 'We couldn’t switch to this speaker',
      failed: 'We couldn’t switch to this speaker',
    },
    help: {
      denied: {
        chrome:
          'Select the icon on the left of the address bar, set camera and microphone to “Allow”, then try again.',
        safari:
          'Open “Website settings” from the address bar menu, choose “Allow” for camera and microphone, then try again.',
        firefox:
          'Select the camera icon on the left of the address bar, remove the block, then try again.',
        frame:
          'The page around this one does not let it use them. Please contact the people who invited you.',
        appSettings:
          'In the settings of your device, select this browser app, turn on camera and microphone, then try again.',
      },
      'not-found': 'Check that the device is plugged in, then try again.',
      busy: 'Close other video call apps and tabs, then try again.',
      failed: 'Plug the device in again or restart your browser, then try again.',
      blur: 'Your camera is off, so nobody sees it. Try again, or turn off “Blur my background” and start your camera.',
    },
    blur: 'Your background can’t be blurred',
    both: 'Camera and microphone access is blocked',
    retry: 'Try again',
    dismiss: 'Close',
  },
  call: {
    muteMicrophone: 'Mute',
    unmuteMicrophone: 'Unmute',
    stopCamera: 'Stop camera',
    startCamera: 'Start camera',
    leave: 'Leave',
    stage: 'Videos',
    controls: 'Controls',
    you: 'You',
    moderator: 'Moderator',
    muted: 'Muted',
    speaking: 'Speaking',
    cameraOff: 'Camera off',
    videoLoading: 'Video is loading',
    videoStopped: 'You stopped this video',
    videoWithheld: 'Shown once everyone agrees to be watched',
    videoPausedByNetwork: 'Your connection is too slow for this video. Audio continues.',
    people: 'Participant videos',
    live: 'Connected',
    reconnecting: 'Reconnecting',
    reconnectingLong: 'Connection lost. Reconnecting… Please stay on this page.',
    reconnected: 'Reconnected',
    speakingWhileMuted: 'You are speaking while muted',
    microphoneSilent: 'Your microphone sends no sound: check its switch, or choose another one.',
    noSound: 'No sound',
    noSoundLong: 'The microphone is on, but sends no sound',
    tapToHear: 'Tap to turn on audio',
    entered: 'You joined',
    enteredWith: (names) => `You joined. Also here: ${names}`,
    joined: (name) => `${name} joined`,
    wentOut: (name) => `${name} left`,
    microphoneIsOff: 'You are muted',
    microphoneIsOn: 'You are unmuted',
    waiting: 'Waiting for others to join',
    until: (time) => `Until ${time}`,
    shortcut: (key) => `Key ${key}`,
    quality: {
      good: 'Good connection',
      fair: 'Fair connection',
      poor: 'Weak connection',
      lost: 'Connection lost',
      unknown: 'Checking connection',
    },
  },
  left: {
    title: 'You left the interview',
    body: 'You can close this page, or join again.',
    again: 'Join again',
  },
  notFound: {
    title: 'Page not found',
    body: 'There is no page at this address. Open the link from your invitation again, or ask the person who invited you.',
  },
  refusal: {
    'bad-link': {
      title: 'This link doesn’t work',
      body: 'It may have expired, or part of it may be missing. Open the link from your invitation again, or ask the person who invited you.',
    },
    cancelled: {
      title: 'This interview has been cancelled',
      body: 'You can’t join because the appointment was cancelled. If you have questions, contact your coordinator.',
    },
    closed: {
      title: 'This interview has ended',
      body: 'The room is closed. You can close this page.',
    },
    banned: {
      title: 'You can’t join this room',
      body: 'You no longer have access to this room. If you think this is a mistake, ask the person who invited you.',
    },
    'too-early': {
      title: 'You are early',
      body: (window, zone) => `You can join ${window} (${zone}).`,
      hint: 'Keep this page open. We’ll let you know when you can enter.',
      countdown: 'Opens in',
    },
    over: {
      title: 'It’s too late to join',
      body: 'The time for this interview has passed. If you need help, ask the person who invited you.',
    },
    unavailable: {
      title: 'We couldn’t connect',
      body: trouble.service,
    },
    removed: {
      title: 'You are no longer in the room',
      body: 'The interview team removed you from the room.',
    },
    elsewhere: {
      title: 'Opened in another tab or device',
      body: 'You opened this link in another tab or on another device, so this page left the interview.',
    },
    lost: {
      title: 'Connection lost',
      body: 'We couldn’t reconnect. Check your internet connection, then join again.',
    },
    declined: {
      title: 'You didn’t join',
      body: 'You can’t take part without agreeing to the recording. No video or audio was sent. We’ve notified the interview team. You can close this page.',
    },
    insecure: {
      title: 'Open this page securely',
      body: 'Camera and microphone need a secure connection. Open the link that starts with “https://”.',
    },
    'in-app': {
      title: 'Open this page in your browser',
      body: 'Camera and microphone don’t work inside this app. In its menu, choose “Open in browser” and use Safari or Chrome.',
    },
    'too-old': {
      title: 'This browser is too old',
      body: 'Open the same link in a current version of Chrome, Edge, Safari or Firefox.',
    },
    retry: 'Try again',
    joinAgain: 'Join again',
    withdrawn: {
      title: 'You withdrew your consent',
      body: 'The recording has stopped and you left the interview. For questions about what was recorded, ask the contact below.',
    },
    reconsider: 'Change my mind and join',
    joinHere: 'Join on this page',
  },
}
