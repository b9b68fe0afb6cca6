import { randomUUID } from 'node:crypto'
import type { Tx } from '../db/db.ts'
import { connectionNews, type Notify, trackNews } from './provider-news.ts'
import { deleteConnection, replaceConnection } from './store.ts'

interface NewSimulatedConnection {
  mediaRoom: string
  identity: string
  joinedAt: Date
  isPublishing: boolean
  notify: Notify
}

/** Connects a person to the media room, and replaces an earlier connection of the person. Returns the new one's id. */
export async function connect(
  tx: Tx,
  { notify, isPublishing, ...who }: NewSimulatedConnection,
): Promise<string> {
  await disconnect(tx, who, notify)
  const connection = { ...who, sid: `PA_simulated_${randomUUID()}` }
  await replaceConnection(tx, { ...connection, isPublishing })
  await notify(tx, connectionNews('participant_joined', connection))
  if (isPublishing) await notify(tx, trackNews(connection))
  return connection.sid
}

/** Ends a connection. False when there was none. */
export async function disconnect(
  tx: Tx,
  { mediaRoom, identity }: { mediaRoom: string; identity: string },
  notify: Notify,
): Promise<boolean> {
  const ended = await deleteConnection(tx, { mediaRoom, identity })
  if (ended === undefined) return false
  await notify(tx, connectionNews('participant_left', { mediaRoom, identity, ...ended }))
  return true
}
