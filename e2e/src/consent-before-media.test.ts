import {
  connectRtcClient,
  type RtcClient,
} from '@interview-room/media-server/test/support/rtc-client.ts'
import { expect, onTestFinished, test } from 'vitest'
import { connectAgreed, type ApiParticipant } from './harness/api-participant.ts'
import { foreignLivekit } from './harness/foreign-livekit.ts'
import { embeddedServer, permissionAt } from './harness/provider.ts'
import { useTestEnvironment } from './harness/test-environment.ts'
import { waitFor } from './harness/wait.ts'

/** A LiveKit server that the environment names. */
const foreign = foreignLivekit()
const env = useTestEnvironment({
  ownService: { env: () => foreign?.settings ?? {}, port: foreign?.port },
  hasBrowser: false,
})

async function enter(): Promise<{ roomId: string; panelist: ApiParticipant }> {
  const { id: roomId } = await env.tenant.book({ room: { archive_mode: 'always' } })
  const panelist = await env.enterByHand({ roomId, role: 'panelist', name: 'Pana' })
  return { roomId, panelist }
}

async function publish(client: RtcClient): Promise<number | undefined> {
  onTestFinished(() => client.leave())
  await client.publish()
  return client.room.localParticipant?.trackPublications.size
}

test('a panelist who agrees by API, and renews the ticket, publishes at once', async () => {
  const { panelist } = await enter()
  expect(await publish(await connectAgreed(panelist))).toBe(2)
})

test('a panelist who agrees by API, and connects with the token of before, publishes when the media server allows it', async () => {
  const { roomId, panelist } = await enter()
  await panelist.post('/events', { event_type: 'consent.given' })
  const client = await connectRtcClient(panelist.media.url, panelist.media.token)
  const identity = client.room.localParticipant?.identity ?? ''
  const server = foreign ?? embeddedServer(env.service)
  await waitFor(async () => (await permissionAt(server, { roomId, identity }))?.can_publish, {
    what: 'the media server allows to publish',
  })
  expect(await publish(client)).toBe(2)
})
