import type { Encoding } from './ffmpeg-arguments.ts'
import type { Size } from './layouts.ts'

/** The form of the recording. */
export interface CompositionPlan {
  layout: string
  /** One picture fills everything, as for the recording of one participant. */
  isFill: boolean
  hasPicture: boolean
  hasSound: boolean
  /** Without a size, the source's own is used. */
  encoding: Omit<Encoding, keyof Size> & Partial<Size>
}
