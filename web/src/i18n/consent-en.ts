import type { ConsentDictionary } from './consent-ja.ts'

/** English words for the consent, the information before entering, and the farewell. */
export const consentEn: ConsentDictionary = {
  recording: {
    title: 'About the recording',
    what: 'Your video, your voice and what is said are recorded.',
    required: {
      lead: 'Video and audio of this interview will be recorded.',
      choice: 'You can’t take part without agreeing. No one will ask you why.',
      decline: 'Do not agree',
    },
    optional: {
      lead: 'Video and audio of this interview may be recorded.',
      choice: 'You can take part without agreeing. Nothing is recorded while you’re here.',
      decline: 'Join without agreeing',
    },
    later: 'You can withdraw your consent at any time during the interview.',
  },
  observation: {
    title: 'About people who watch',
    lead: 'People you don’t see may watch this interview.',
    what: 'They receive your video, your voice and the chat.',
    choice: 'You can take part without agreeing. They receive nothing then.',
    decline: 'Join without agreeing',
  },
  transcription: {
    title: 'About live text',
    lead: 'In this interview, what people say may appear as text.',
    what: 'A speech recognition service receives your voice and writes down what you say.',
    choice: 'You can take part without agreeing. Your voice isn’t sent to the service then.',
    decline: 'Join without agreeing',
  },
  give: 'Agree and join',
  next: 'Agree and continue',
  sending: 'Sending…',
  failed: 'Couldn’t send. Check your internet connection, then try again.',
  about: {
    company: 'Company',
    purpose: 'Purpose',
    retention: 'Kept for',
    contact: 'Contact',
  },
  own: {
    button: 'Consent',
    title: 'Your consent',
    purpose: {
      recording: 'Recording',
      observation: 'People who watch',
      transcription: 'Live text',
    },
    state: {
      obtained: 'Agreed beforehand',
      pending: 'Not answered yet',
      given: 'You agree',
      declined: 'You don’t agree',
      withdrawn: 'You withdrew your consent',
    },
    give: {
      recording: 'Agree to the recording',
      observation: 'Agree to be watched',
      transcription: 'Agree to live text',
    },
    withdraw: {
      recording: 'Withdraw consent to the recording',
      observation: 'Withdraw consent to be watched',
      transcription: 'Withdraw consent to live text',
    },
    effect: {
      required: 'If you withdraw, the recording stops immediately and you leave the interview.',
      optional: 'If you withdraw, the recording stops immediately. You can stay.',
      observation: 'If you withdraw, people who watch receive nothing more.',
      transcription:
        'If you withdraw, your voice is no longer sent to the speech recognition service.',
      kept: 'For questions about what was recorded, ask the contact above.',
    },
    close: 'Close',
  },
  staff: {
    waits: (names) => `Waiting for consent to the recording: ${names}`,
    refused: (names) => `Hasn’t agreed to the recording: ${names}`,
    title: 'Consent to the recording',
    everybody: 'All respondents present have agreed to the recording.',
    separator: ', ',
    state: {
      pending: 'Recording consent: not answered',
      given: 'Recording consent: yes',
      obtained: 'Recording consent: obtained',
      declined: 'Recording consent: no',
      withdrawn: 'Recording consent: withdrawn',
    },
    observing:
      'Waiting for consent. You receive video, audio and the respondent chat when every respondent agrees to be watched.',
  },
  info: {
    label: 'About this interview',
    interview: 'Interview',
    company: 'Company',
    appointment: 'Time',
    role: 'Role',
    name: 'Name',
    roles: {
      moderator: 'Moderator',
      panelist: 'Respondent',
      observer: 'Observer',
      platform_observer: 'Operator',
    },
    watched: 'People you don’t see may watch this interview.',
    watchedIfAgreed: 'People you don’t see may watch. We ask for your consent on the next page.',
    transcribedIfAgreed:
      'What people say may appear as text. We ask for your consent on one of the next pages.',
    recorded: {
      required: 'This interview is recorded. We ask for your consent on the next page.',
      optional: 'This interview may be recorded. We ask for your consent on the next page.',
      given: 'You have agreed to the recording of this interview.',
      obtained: 'This interview may be recorded. You have agreed to it beforehand.',
    },
    staff: {
      required:
        'This room is recorded automatically. Respondents are asked for consent before they enter.',
      optional:
        'The moderator records this room. Respondents are asked for consent before they enter.',
      obtained: 'Consent to the recording counts as obtained. Respondents aren’t asked.',
      observing:
        'Observers and operators receive no video, audio or respondent chat until every respondent agrees to be watched.',
    },
  },
  checking: 'Checking the interview…',
  open: {
    title: 'You can enter now',
    body: 'Continue when you’re ready. Nobody can see you yet.',
    go: 'Get ready to join',
  },
  farewell: {
    thanks: 'Thank you for taking part. You can close this tab.',
    contact: (contact) => `Contact: ${contact}`,
    back: 'Go back to the website',
    data: 'What happens with what you shared',
    recording: {
      title: 'Recording',
      started: 'Recording continues.',
      paused: 'Recording is paused.',
      making: 'The video is being made.',
      readyAt: (moment) => `Ready at about ${moment}.`,
      available: (length) => `The video is ready (${length}).`,
      review: 'Watch, read and comment',
      failed: 'The recording failed.',
      expired: 'The video was deleted at the end of its retention period.',
    },
    markers: {
      title: 'Your markers',
      count: (count) => `${count}, saved with their notes.`,
      save: 'Save as text',
      fileName: 'markers',
      withoutNote: '(no note)',
      inRecording: (time) => `at ${time} of the recording`,
    },
  },
}
