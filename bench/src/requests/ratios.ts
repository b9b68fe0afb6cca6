import type { OperationName } from './operations.ts'

/** CPU of the service to that of its floor, as last recorded. The long tests fail at 1.3 times of it. */
export const CPU_RATIO: Readonly<Record<OperationName, number>> = {
  'create room': 1.8,
  'get room': 1.8,
  'list sessions': 1.8,
  'wrong key': 1.9,
  'chat message': 2.4,
  entry: 2.2,
  'renewed ticket': 2.7,
}
