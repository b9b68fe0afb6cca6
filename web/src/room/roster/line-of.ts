import type { Person as Present } from '@interview-room/contract/live-stream.ts'
import type { Person, Quality } from '../../connection/call-state.ts'

/**
 * How somebody's line is: as the media side sees it now, else by what their own page told the
 * service, which only those who look after everybody learn. Undefined where nothing may be known.
 */
export function lineOf(
  { line }: Pick<Present, 'line'>,
  media: Pick<Person, 'quality'> | undefined,
): Quality | undefined {
  if (media !== undefined && media.quality !== 'unknown') return media.quality
  if (line === undefined) return media?.quality
  return line ?? 'unknown'
}
