import { randomUUID } from 'node:crypto'
import { json } from '../platform/db/db.ts'
import { ensureServiceKey } from '../platform/service-keys/ensure-service-key.ts'
import type { ControlPlane } from './control-plane.ts'
import { addHandout } from './handouts.ts'
import { addRecording } from './recordings.ts'
import { addWebhookDelivery } from './webhook-delivery.ts'

/** One of each thing that a path names by an id, by the name of the parameter. People and questions come from a room. */
export async function addThings(plane: ControlPlane, roomId: string, sessionId: string) {
  const { tenant } = plane
  // Signs the links.
  await ensureServiceKey(plane.deps)
  const idOf = async (url: string, body: object): Promise<string> =>
    (await tenant.post(url, body)).data.id
  const person = { external_type: 'User', external_id: randomUUID() }
  // Its length is that of the recording in the examples, whose times must lie in it.
  const recording = await addRecording(plane, roomId, { durationSec: 3604.52 })
  return {
    room_id: roomId,
    session_id: sessionId,
    handout_id: (await addHandout(plane, sessionId)).id,
    recording_id: recording,
    transcription_id: await idOf(`/recordings/${recording}/transcriptions`, { language: 'en-US' }),
    reel_id: await addReel(plane, { roomId, recordingId: recording }),
    clip_id: await idOf(`/recordings/${recording}/clips`, { start_sec: 1, end_sec: 2 }),
    share_id: await idOf(`/recordings/${recording}/shares`, {}),
    comment_id: await addComment(plane, recording),
    connection_test_id: await idOf('/connection-tests', {}),
    key_id: String((await tenant.post('/api-keys', {})).data.key_id),
    erasure_id: await idOf('/data-subjects/erasures', person),
    legal_hold_id: await idOf('/legal-holds', { ...person, reason: 'Case 1' }),
    ...(await addWebhookDelivery(plane)),
  }
}

/** A comment by the person whom a viewer token of the tests names, unless it says otherwise. */
async function addComment({ database, tenant }: ControlPlane, recordingId: string) {
  const id = randomUUID()
  await database.db`
    insert into recording_comments (id, tenant_id, recording_id, seq, viewer_reference, viewer_name,
                                    text, created_at)
    values (${id}, ${tenant.tenantId}, ${recordingId}, 1, 'researcher-1', 'Sato', 'Look', now())
  `
  return id
}

/** A pending reel of a clip that was deleted since. */
async function addReel(
  { database, tenant }: ControlPlane,
  { roomId, recordingId }: { roomId: string; recordingId: string },
): Promise<string> {
  const id = randomUUID()
  const parts = [{ clipId: randomUUID(), recordingId, startSec: 1, endSec: 2 }]
  await database.db`
    insert into clips (id, tenant_id, recording_id, recording_ids, room_id, reel, seq, start_sec,
                       end_sec, status, created_at, updated_at)
    values (${id}, ${tenant.tenantId}, ${recordingId}, ${[recordingId]}, ${roomId},
            ${json({ captions: 'none', titleCard: null, parts })}::jsonb, -1, 0, 1, 'pending', now(),
            now())
  `
  return id
}
