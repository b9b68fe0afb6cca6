import { visitRoom } from '../../../src/recorder/visit-room.ts'
import type { ServerSettings } from './settings.ts'
import { signToken } from './tokens.ts'

interface Masked {
  server: ServerSettings
  room: string
  signal: AbortSignal
}

/** Keeps somebody hidden arriving until the signal ends it, as the service does in the rooms of livekit-server. */
export async function keepArriving({ server, room, signal }: Masked): Promise<void> {
  for (let visit = 0; !signal.aborted; visit += 1) {
    const token = await signToken(server, {
      room,
      identity: `mask-${visit}`,
      kind: 'agent',
      grant: {
        hidden: true,
        agent: true,
        canPublish: false,
        canPublishData: false,
        canSubscribe: false,
      },
    })
    await visitRoom({ url: server.url, token, signal })
  }
}
