/** The tags of the API description, in order. */
export const TAGS = {
  Sessions: 'A session is a booked slot. Each session has one room.',
  Rooms: 'A room is where one interview takes place. You book it together with its session.',
  Participants: 'People whose participant token was verified, and bans.',
  EntryHistory: 'Who was connected, when, and with which device.',
  Chat: 'Messages and files that people sent in a room.',
  RoomEvent: 'The log of a room.',
  Recordings: 'Recordings of a room. The files have signed URLs.',
  ProcessedRecording: 'A trimmed or edited version of a recording.',
  Transcriptions: 'What was said in a recording, as WebVTT captions.',
  Handouts: 'Images and videos that a moderator shows in the room.',
  ConnectionTests: "Measurements of a respondent's browser, devices and connection.",
  Extensions:
    'Beyond the core of the API: what a recording lacks, its timeline, comments of viewers, clips, the event feed, and what you manage yourself. Management takes an API key with the scope `manage`.',
  Sandbox:
    'What the tenant of a sandbox does in place of people, media and engines. To every other tenant these operations answer 404.',
  'Participant plane':
    'What the page of a room or of a connection test calls. It takes tokens and tickets, not API keys. You need it only to build a page of your own.',
  Board: "What the operators' board calls. It takes a board token.",
  Public: 'Health checks and public keys. No credential, no envelope.',
} as const

export type Tag = keyof typeof TAGS
