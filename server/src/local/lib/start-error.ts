/** Something that the person at the keyboard can change; printed without a stack. */
export class StartError extends Error {
  override name = 'StartError'
}
