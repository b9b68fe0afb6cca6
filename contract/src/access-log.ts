import { type Static, Type } from 'typebox'
import { dateTime, named, nullable, PageQuery, string, Uuid, uuid } from './envelope.ts'
import { wordsOf } from './schema.ts'

const ACCESS_PURPOSES = ['download', 'playback', 'live_transcript'] as const
export type AccessPurpose = (typeof ACCESS_PURPOSES)[number]

const AccessPurpose = wordsOf('AccessPurpose', ACCESS_PURPOSES, {
  about: 'The reason for an access. New words may be added.',
  download: 'The file is saved.',
  playback: 'A player shows the file.',
  live_transcript: 'The live transcript was read in an answer. There is no URL.',
})

export const DownloadAccessBody = named(
  'DownloadAccess',
  Type.Object(
    {
      id: string('Id of the entry.'),
      recording_id: uuid('Id of the recording.'),
      processed_recording_id: nullable(
        Uuid,
        'Id of the processed recording, if its file was requested.',
      ),
      clip_id: nullable(Uuid, 'Id of the clip, if its file was requested.'),
      reel_id: nullable(Uuid, 'Id of the reel, if its file was requested.'),
      transcription_id: nullable(Uuid, 'Id of the transcription, if its result was requested.'),
      purpose: AccessPurpose,
      api_key_id: nullable(
        Type.String(),
        'Id of the API key that requested it. Null if a viewer did, and for entries from before 0.5.',
      ),
      viewer: nullable(
        Type.Object(
          {
            reference: string('`sub` of the viewer token.'),
            token_id: string('`jti` of the viewer token.'),
          },
          { description: 'The viewer who requested it.' },
        ),
        'The viewer who requested it. Null if an API key did.',
      ),
      issued_at: dateTime('When the URL was issued.'),
      expires_at: dateTime('Until when the URL works.'),
    },
    { description: 'A download URL that was issued. The entry outlives the file.' },
  ),
)
export type DownloadAccessBody = Static<typeof DownloadAccessBody>

export const AccessLogQuery = Type.Object(
  {
    recording_id: Type.Optional(uuid('Entries of this recording only.')),
    ...PageQuery,
  },
  { additionalProperties: false },
)
