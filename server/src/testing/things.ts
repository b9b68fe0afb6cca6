import { randomUUID } from 'node:crypto'
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
