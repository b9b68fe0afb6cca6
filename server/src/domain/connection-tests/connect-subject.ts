import type {
  ClientFacts,
  ConnectionTestMediaBody,
} from '@interview-room/contract/connection-tests.ts'
import { MEDIA_TOKEN_LIFE_SEC } from '@interview-room/contract/limits.ts'
import { inTransaction, type Tx } from '../../platform/db/db.ts'
import type { Deps } from '../../platform/ports/deps.ts'
import { ALL_RIGHTS } from '../../platform/ports/media.ts'
import { ensureMediaRoom } from '../booking/ensure-media-room.ts'
import { RECEIVER_IDENTITY, SUBJECT_IDENTITY } from '../people/subject.ts'
import { appendRoomEvent } from '../room-log/append-room-event.ts'
import type { LockedRoom } from '../room-log/room-lock.ts'
import type { ConnectionTest, ConnectionTestKey } from './connection-test.ts'
import { lockConnectionTest, refuseState } from './lock-connection-test.ts'
import { readConnectionTest } from './read-connection-tests.ts'
import { markRunning } from './store.ts'

type ConnectDeps = Pick<Deps, 'db' | 'clock' | 'media'>
type TestKey = ConnectionTestKey & { roomId: string }

/**
 * Notes that the person under test is there: a waiting test starts, a running one stays alive. Returns the tokens for its
 * two media connections, and makes a missing media room.
 *
 * Throws 422 VALIDATION_ERROR when the test has ended; 503 SERVICE_UNAVAILABLE while the provider cannot be reached, and
 * then a waiting test does not start.
 */
export async function connectSubject(
  deps: ConnectDeps,
  key: TestKey,
  client: ClientFacts,
): Promise<ConnectionTestMediaBody> {
  const mediaRoom = { id: key.roomId, session: null }
  const found = await readConnectionTest(deps.db, key, deps.clock())
  refuseEnded(found)
  if (found.status === 'pending') await ensureMediaRoom(deps, mediaRoom)
  const test = await noteThere(deps, key, client)
  // Note the person's presence even if the provider fails.
  if (found.status === 'running') await ensureMediaRoom(deps, mediaRoom)
  return { media: await signMedia(deps, test) }
}

async function noteThere(
  { db, clock }: ConnectDeps,
  key: TestKey,
  client: ClientFacts,
): Promise<ConnectionTest> {
  return inTransaction(db, async (tx) => {
    const now = clock()
    const locked = await lockConnectionTest(tx, key, now)
    refuseEnded(locked)
    await markRunning(tx, key, { at: now, client: locked.client ?? client })
    if (locked.status === 'pending' && locked.hasRecording) await noteConsent(tx, locked)
    return locked
  })
}

function refuseEnded(test: ConnectionTest): void {
  if (test.status !== 'pending' && test.status !== 'running') throw refuseState(test)
}

/** Starting a test that announces a recording counts as consent to it. */
async function noteConsent(tx: Tx, test: ConnectionTest & LockedRoom): Promise<void> {
  const { name } = test
  await appendRoomEvent(tx, {
    ...test,
    eventType: 'consent.given',
    payload: { participant_id: null, identity: SUBJECT_IDENTITY, display_name: name ?? '' },
  })
}

async function signMedia(
  { media }: Pick<Deps, 'media'>,
  { roomId, name }: ConnectionTest,
): Promise<ConnectionTestMediaBody['media']> {
  const rights = ALL_RIGHTS
  const grant = {
    mediaRoom: roomId,
    displayName: name ?? '',
    rights,
    lifeSec: MEDIA_TOKEN_LIFE_SEC,
  }
  const [publisher, subscriber] = await Promise.all([
    media.signToken({ ...grant, identity: SUBJECT_IDENTITY, role: 'panelist' }),
    // The receiver sends nothing and is not visible, like an observer.
    media.signToken({ ...grant, identity: RECEIVER_IDENTITY, role: 'observer' }),
  ])
  return {
    url: await media.addressOf(roomId),
    publisher_token: publisher,
    subscriber_token: subscriber,
  }
}
