import { beforeAll, describe, expect, test } from 'vitest'
import { createActingTenant } from '../../testing/acting-tenant.ts'
import { useControlPlane } from '../../testing/control-plane.ts'
import { file, SAMPLES, sendForm } from '../../testing/multipart.ts'
import { booking, type TenantClient } from '../../testing/tenant-client.ts'
import { ensureServiceKey } from '../service-keys/ensure-service-key.ts'

/** Two tenants who call everything by the same names. */

const plane = useControlPlane()

interface OwnedObjects {
  client: TenantClient
  roomId: string
  sessionId: string
  participantId: string
  handoutId: string
}

const FORM = [
  ['file', file('plan.png', SAMPLES.png)],
  ['content_type', 'image'],
  ['external_type', 'ProjectHandout'],
  ['external_id', 'shared'],
] as [string, ReturnType<typeof file> | string][]

const owned: OwnedObjects[] = []

async function own(client: TenantClient, body: object): Promise<OwnedObjects> {
  const { data: room } = await client.post('/rooms', body)
  const acting = await createActingTenant(plane.deps, client.tenantId)
  const answer = await plane.app.inject({
    method: 'POST',
    url: `/api/v1/rooms/${room.id}/live/entry`,
    headers: {
      authorization: `Bearer ${await acting.signToken({ roomId: room.id, jti: 'same' })}`,
    },
  })
  const path = `POST /sessions/${room.session.id}/handouts` as const
  const handout = await sendForm(client, path, { parts: FORM })
  return {
    client,
    roomId: room.id,
    sessionId: room.session.id,
    participantId: answer.json().data.participant.id,
    handoutId: handout.data.id,
  }
}

beforeAll(async () => {
  // Tokens are signed with the time of the machine.
  plane.now = new Date()
  await ensureServiceKey(plane.deps)
  const body = booking({ now: plane.now })
  body.session.external_id = 'shared'
  for (const client of [plane.tenant, plane.other]) owned.push(await own(client, body))
})

const idsAt = async (client: TenantClient, path: string): Promise<string[]> => {
  const { status, data } = await client.get(path)
  expect([path, status]).toEqual([path, 200])
  return data.items.map(({ id }: { id: string }) => id)
}

describe('two tenants with the same external references', () => {
  // contract: Tenant isolation › Two tenants with the same references: every resource is its own
  test('make resources of their own', () => {
    const ids = owned.flatMap(({ client: _client, ...rest }) => Object.values(rest))
    expect(new Set(ids).size).toBe(8)
  })

  // contract: Tenant isolation › Two tenants with the same references: each list and lookup shows
  //   its own
  test('find only their own by the references, in every list', async () => {
    for (const { client, roomId, sessionId, participantId, handoutId } of owned) {
      const lookup = '/sessions?external_type=Slot&external_id=shared'
      expect(await idsAt(client, lookup)).toEqual([sessionId])
      expect(await idsAt(client, `/rooms/${roomId}/participants`)).toEqual([participantId])
      expect(await idsAt(client, `/sessions/${sessionId}/handouts`)).toEqual([handoutId])
    }
  })

  // contract: Tenant isolation › Two tenants with the same references: no answer contains data of
  //   the other
  test('never get data of each other in any answer about their own', async () => {
    for (const [at, { client, roomId, sessionId }] of owned.entries()) {
      const { client: _client, ...foreign } = owned[1 - at]!
      for (const path of [
        `/rooms/${roomId}`,
        `/sessions/${sessionId}`,
        '/sessions?external_type=Slot&external_id=shared',
        `/sessions/${sessionId}/handouts`,
        ...['participants', 'entry-histories', 'chat-messages', 'room-events', 'recordings'].map(
          (list) => `/rooms/${roomId}/${list}`,
        ),
      ]) {
        const { status, text } = await client.get(path)
        expect([path, status]).toEqual([path, 200])
        for (const id of Object.values(foreign)) expect(text).not.toContain(id)
      }
    }
  })

  // contract: Tenant isolation › Two tenants with the same references: no change reaches the other
  test('ban, close and delete only their own resources', async () => {
    const [mine, theirs] = owned as [OwnedObjects, OwnedObjects]
    const ban = `/rooms/${mine.roomId}/participants/${mine.participantId}/ban`
    await mine.client.post(ban, { reason: 'x' })
    await mine.client.delete(`/handouts/${mine.handoutId}`)
    await mine.client.post(`/rooms/${mine.roomId}/close`)
    await mine.client.delete(`/sessions/${mine.sessionId}`)
    const { client, roomId, sessionId, participantId, handoutId } = theirs
    expect((await client.get(`/rooms/${roomId}`)).data.status).toBe('open')
    expect((await client.get(`/sessions/${sessionId}`)).data.status).toBe('active')
    expect((await client.get(`/rooms/${roomId}/participants`)).data.items).toMatchObject([
      { id: participantId, status: 'active' },
    ])
    expect(await idsAt(client, `/sessions/${sessionId}/handouts`)).toEqual([handoutId])
  })
})
