import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import type { Plugin } from 'vite'
import { hostedFiles, type HostedFolder } from './hosted-files.ts'

const PACKAGE = path.dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'))
const WORKER = 'legacy/build/pdf.worker.min.mjs'

/**
 * Copies the files that pdf.js loads at run time to `/assets/pdfjs-<version>/`: its worker, the character maps and
 * standard fonts that a PDF may use, and the decoders for pages whose policy forbids WebAssembly, such as the room
 * page.
 */
export function pdfjsFiles(): Plugin {
  return hostedFiles('pdfjs-files', listFiles)
}

async function listFiles(): Promise<HostedFolder> {
  const { version } = JSON.parse(await readFile(path.join(PACKAGE, 'package.json'), 'utf8'))
  const files = new Map([[path.basename(WORKER), path.join(PACKAGE, WORKER)]])
  for (const folder of ['cmaps', 'standard_fonts', 'wasm']) {
    for (const name of await readdir(path.join(PACKAGE, folder))) {
      const isNeeded = folder !== 'wasm' || /^LICENSE|_nowasm_fallback\.js$/.test(name)
      if (isNeeded) files.set(`${folder}/${name}`, path.join(PACKAGE, folder, name))
    }
  }
  return { folder: `assets/pdfjs-${version}`, files }
}
