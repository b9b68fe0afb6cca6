/** The tags of the API description, in its order. */
export const TAGS = {
  Sessions: 'A booked time slot of a Room.',
  Rooms: 'Where an interview takes place. Booked together with its Session.',
  Participants: 'Who has been let into a Room, and who is banned.',
  EntryHistory: 'When who entered and left, and with which device.',
  Chat: 'What was written in a Room.',
  RoomEvent: 'The log of a Room.',
  Recordings: 'What was recorded, as a file behind signed URLs.',
  ProcessedRecording: 'A trimmed or otherwise edited version of a Recording.',
  Transcriptions: 'What was said, as WebVTT.',
  Handouts: 'Pictures and videos that a moderator shows.',
  ConnectionTests: 'Measurements of a browser and its line.',
  'Participant plane': 'What the page of a Room calls. No API key opens it.',
  Board: 'What the page of the operators calls. A link of the operator plane opens it.',
  Public: 'Health and public keys. Not enveloped.',
} as const

export type Tag = keyof typeof TAGS
