import type { Deps } from '../deps.ts'
import { isSpoiled } from '../media-files/media-file-error.ts'
import { withWorkspace } from '../media-files/workspace.ts'
import { joinIn, type Making } from './make-file.ts'
import type { Segment } from './segment.ts'

/**
 * Those of the parts of which, each alone, no video can be made. Throws what says nothing about a
 * part: `MediaFileError`, `StorageError`, the signal's reason.
 */
export async function findSpoiled(
  deps: Pick<Deps, 'storage' | 'config'>,
  { kept, run }: Making,
): Promise<Segment[]> {
  const spoiled: Segment[] = []
  for (const segment of kept) {
    try {
      const alone = { kept: [segment], run }
      await withWorkspace(deps.config.workDir, (folder) => joinIn(folder, deps, alone))
    } catch (error) {
      if (!isSpoiled(error)) throw error
      spoiled.push(segment)
    }
  }
  return spoiled
}
