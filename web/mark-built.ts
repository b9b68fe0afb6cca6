import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Plugin } from 'vite'

/** Writes `.built` when everything else is there: what has none is a build that was killed. */
export function markBuilt(): Plugin {
  return {
    name: 'mark-built',
    apply: 'build',
    writeBundle: {
      order: 'post',
      sequential: true,
      handler: ({ dir = '' }) => writeFile(path.join(dir, '.built'), ''),
    },
  }
}
