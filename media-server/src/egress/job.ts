import type { CompositionPlan } from '@interview-room/composer/compose.ts'
import type { S3Upload } from '@livekit/protocol'
import type { Selection } from './capture/selection.ts'

/** Where the file goes: to a path of this machine, or to a bucket under a key. */
export type Output = { kind: 'file'; file: string } | { kind: 's3'; key: string; upload: S3Target }

export type S3Target = Pick<
  S3Upload,
  | 'accessKey'
  | 'secret'
  | 'sessionToken'
  | 'region'
  | 'endpoint'
  | 'bucket'
  | 'forcePathStyle'
  | 'contentDisposition'
  | 'metadata'
>

/** What was asked for, in our words. */
export interface EgressJob {
  selection: Selection
  plan: CompositionPlan
  output: Output
}
