import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import type { Plugin } from 'vite'
import { hostedFiles, type HostedFolder } from './hosted-files.ts'

const PACKAGE = path.dirname(createRequire(import.meta.url).resolve('@mediapipe/tasks-vision'))
/** Those for WebAssembly with SIMD: every browser that the pages support has it. */
const FILES = ['vision_wasm_internal.js', 'vision_wasm_internal.wasm']

/**
 * Puts what finds people in a picture where the pages find it. MediaPipe asks for it by name in a folder,
 * which is `import.meta.env.SEGMENTER_FILES` in the pages.
 */
export function segmenterFiles(): Plugin {
  return {
    ...hostedFiles('segmenter-files', listFiles),
    async config() {
      const { folder } = await listFiles()
      return { define: { 'import.meta.env.SEGMENTER_FILES': JSON.stringify(`/${folder}`) } }
    },
  }
}

async function listFiles(): Promise<HostedFolder> {
  const { version } = JSON.parse(await readFile(path.join(PACKAGE, 'package.json'), 'utf8'))
  const files = new Map(FILES.map((name) => [name, path.join(PACKAGE, 'wasm', name)]))
  return { folder: `assets/tasks-vision-${version}`, files }
}
