import type { Person as Present } from '@interview-room/contract/live-stream.ts'
import type { Person, Quality } from '../../connection/call-state.ts'

/**
 * The connection quality of a person: as the media server measures it now, or else as their own page reported it,
 * which only moderators and operators receive. Undefined if this role may not know it.
 */
export function qualityOf(
  { line }: Pick<Present, 'line'>,
  media: Pick<Person, 'quality'> | undefined,
): Quality | undefined {
  if (media !== undefined && media.quality !== 'unknown') return media.quality
  if (line === undefined) return media?.quality
  return line ?? 'unknown'
}
