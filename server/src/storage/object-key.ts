const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
/** `<tenant>/<kind>/<uuid>`, with what tells apart several objects of one thing, and their type. */
const OBJECT_KEY = new RegExp(`^${UUID}/[a-z][a-z-]{0,31}/${UUID}[-.a-z0-9]{0,40}$`)

/** A key that is not one of ours is a defect, or an attack that came far. */
export function checkObjectKey(key: string): void {
  if (!OBJECT_KEY.test(key)) throw new RangeError('not a key of the object storage')
}
