import { SignJWT } from 'jose'
import type { ServerAccess } from './server-access.ts'

const TTL_SEC = 600

/** The token with which an egress enters a room: nobody sees it, and it only receives. */
export function recorderToken(
  access: ServerAccess,
  { roomName, egressId }: { roomName: string; egressId: string },
): Promise<string> {
  return sign(access, {
    identity: egressId,
    kind: 'egress',
    video: {
      room: roomName,
      roomJoin: true,
      hidden: true,
      recorder: true,
      canSubscribe: true,
      canPublish: false,
      canPublishData: false,
    },
  })
}

/** The token for looking which rooms there are. */
export function listToken(access: ServerAccess): Promise<string> {
  return sign(access, { video: { roomList: true } })
}

function sign(
  { apiKey, apiSecret }: ServerAccess,
  { identity, ...claims }: { identity?: string; kind?: string; video: object },
): Promise<string> {
  const token = new SignJWT(claims)
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuer(apiKey)
    .setNotBefore('0s')
    .setExpirationTime(`${TTL_SEC}s`)
  if (identity !== undefined) token.setSubject(identity)
  return token.sign(new TextEncoder().encode(apiSecret))
}
