import type { CompositionPlan } from '@interview-room/composer/plan.ts'
import type { S3Upload } from '@livekit/protocol'
import type { Selection } from './capture/selection.ts'

/** Target of the file: a path of this machine, or a key of a bucket. */
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

/** The request in our words. */
export interface EgressJob {
  selection: Selection
  plan: CompositionPlan
  output: Output
}
