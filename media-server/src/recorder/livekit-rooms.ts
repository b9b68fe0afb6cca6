import { ListRoomsRequest, ListRoomsResponse, type Room } from '@livekit/protocol'
import { TwirpError } from '../api/twirp.ts'
import type { EgressRooms } from '../egress/egress-rooms.ts'
import { type Log, reasonOf } from '../lib/log.ts'
import type { RtcOptions } from '../rtc/peer.ts'
import { listToken, recorderToken } from './recorder-token.ts'
import { RoomClient } from './room-client.ts'
import type { ServerAccess } from './server-access.ts'

const CALL_TIMEOUT_MS = 5000
/** Health checks wait no longer than four seconds (`scripts/health-check.mjs`). */
const PROBE_TIMEOUT_MS = 2000

/** The rooms of a LiveKit server, which a recorder enters as a client. */
export function liveKitRooms(
  access: ServerAccess,
  { rtc, log, giveUpMs }: { rtc: RtcOptions; log: Log; giveUpMs: number },
): EgressRooms {
  return {
    async find(name) {
      const room = await findRoom(access, name)
      if (room === undefined) return undefined
      const isThere = async () => (await findRoom(access, name)) !== undefined
      return {
        sid: room.sid,
        name,
        enter: ({ egressId, selection }) =>
          new RoomClient({
            url: access.url,
            token: () => recorderToken(access, { roomName: name, egressId }),
            rtc,
            log: (entry) => log({ ...entry, egressId }),
            selection,
            isThere,
            giveUpMs,
          }),
      }
    },
    // The server shows it to the room's members while a recorder is in it.
    markRecorded: () => {},
  }
}

/** Throws if the server does not answer, or refuses our key. */
export async function reachServer(access: ServerAccess): Promise<void> {
  await listRooms(access, ['readiness'], PROBE_TIMEOUT_MS)
}

async function findRoom(access: ServerAccess, name: string): Promise<Room | undefined> {
  return (await listRooms(access, [name])).find((room) => room.name === name)
}

const KEY_REFUSED = 'the LiveKit server refuses the API key: HTTP status 401'

/** Throws TwirpError `unavailable` for whatever fails. */
async function listRooms(
  access: ServerAccess,
  names: string[],
  timeoutMs = CALL_TIMEOUT_MS,
): Promise<Room[]> {
  try {
    const response = await fetch(`${access.url}/twirp/livekit.RoomService/ListRooms`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${await listToken(access)}`,
        'Content-Type': 'application/json',
      },
      body: new ListRoomsRequest({ names }).toJsonString(),
      signal: AbortSignal.timeout(timeoutMs),
    })
    if (response.status === 401) throw new TwirpError('unavailable', KEY_REFUSED)
    if (!response.ok) throw new Error(`HTTP status ${response.status}`)
    const text = await response.text()
    return ListRoomsResponse.fromJsonString(text, { ignoreUnknownFields: true }).rooms
  } catch (error) {
    if (error instanceof TwirpError) throw error
    throw new TwirpError('unavailable', `the LiveKit server does not answer: ${reasonOf(error)}`)
  }
}
