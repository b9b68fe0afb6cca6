import { randomUUID } from 'node:crypto'

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
/** `<tenant>/<kind>/<uuid>`, with a suffix that distinguishes several objects of one thing, and their type. */
const OBJECT_KEY = new RegExp(`^${UUID}/[a-z][a-z-]{0,31}/${UUID}[-.a-z0-9]{0,40}$`)

/**
 * A new key for a video. A LiveKit egress appends `.mp4` to a name without it, and would so write
 * elsewhere than we look.
 */
export function newVideoKey(tenantId: string, kind: string): string {
  return `${tenantId}/${kind}/${randomUUID()}.mp4`
}

export function isObjectKey(key: string): boolean {
  return OBJECT_KEY.test(key)
}

/** A key that is not one of ours is a defect, or an attack that came far. */
export function checkObjectKey(key: string): void {
  if (!isObjectKey(key)) throw new RangeError('not a key of the object storage')
}
