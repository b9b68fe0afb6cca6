import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

const COMPRESSIBLE = /\.(?:css|m?js|svg)$/
const ENCODERS = { '.br': promisify(brotliCompress), '.gz': promisify(gzip) }

/** Puts `.br` and `.gz` beside scripts and styles: the service sends them as they lie there. */
export function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    async writeBundle({ dir = '' }, bundle) {
      for (const output of Object.values(bundle)) {
        if (!COMPRESSIBLE.test(output.fileName)) continue
        const content = Buffer.from(output.type === 'chunk' ? output.code : output.source)
        await writeCompressed(path.join(dir, output.fileName), content)
      }
    },
  }
}

async function writeCompressed(file: string, content: Buffer): Promise<void> {
  for (const [extension, encode] of Object.entries(ENCODERS)) {
    const compressed = await encode(content)
    if (compressed.length < content.length) await writeFile(file + extension, compressed)
  }
}
