import { type LiveTextAudience, ROLES } from '@interview-room/contract/vocabulary.ts'
import { type Db, inTransaction } from '../../../platform/db/db.ts'
import { type LiveTextOfTenant, setLiveText } from '../../../platform/tenants/live-text.ts'
import type { LiveTextSetting } from '../../../platform/tenants/store.ts'
import { publishLiveEvent } from '../../room-log/publish-live-event.ts'
import { queueForRoom } from '../../room-log/room-lock.ts'
import { listAudiences } from './live-text-store.ts'
import { readersOf } from './live-text.ts'

/**
 * Sets live text in the rooms of a tenant, and tells the open pages of everybody who may read it from now on, or no longer. Returns
 * the setting before. Throws UnknownTenantError.
 */
export async function changeLiveText(db: Db, setting: LiveTextOfTenant): Promise<LiveTextSetting> {
  const { tenantId } = setting
  const audiences = await listAudiences(db, tenantId)
  const before = new Map(audiences.map(({ roomId, audience }) => [roomId, audience]))
  const replaced = await setLiveText(db, setting)
  // One room at a time: no transaction holds the locks of several. A page that is not told learns it from its next snapshot.
  for (const { roomId, audience } of await listAudiences(db, tenantId)) {
    await tell(db, roomId, { from: before.get(roomId) ?? audience, to: audience })
  }
  return replaced
}

async function tell(
  db: Db,
  roomId: string,
  { from, to }: { from: LiveTextAudience; to: LiveTextAudience },
): Promise<void> {
  const [had, has] = [readersOf(from, EVERYBODY), readersOf(to, EVERYBODY)]
  const roles = ROLES.filter((role) => had.includes(role) !== has.includes(role))
  if (roles.length === 0) return
  const payload = { has_live_text: has.length > had.length }
  await inTransaction(db, async (tx) => {
    const locked = await queueForRoom(tx, roomId, 'shared')
    await publishLiveEvent(tx, locked, { name: 'live_text', roles, payload })
  })
}

/** As in the snapshot, the consent to be observed does not matter. */
const EVERYBODY = { isObserved: true }
