import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

const COMPRESSIBLE = /\.(?:css|m?js|svg|wasm)$/
const ENCODERS = { '.br': promisify(brotliCompress), '.gz': promisify(gzip) }
/** The brotli level for files that few people load. The best level takes twenty times as long and saves a tenth. */
const FAST = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }

/** Writes `.br` and `.gz` files next to scripts, styles and WebAssembly. The service sends them as they are. */
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
    const isRare = /\.(?:mjs|wasm)$/.test(file) && extension === '.br'
    const compressed = await (isRare ? promisify(brotliCompress)(content, FAST) : encode(content))
    if (compressed.length < content.length) await writeFile(file + extension, compressed)
  }
}
