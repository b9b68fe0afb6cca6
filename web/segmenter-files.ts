import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import type { Plugin } from 'vite'
import { hostedFiles, type HostedFolder } from './hosted-files.ts'

const PACKAGE = path.dirname(createRequire(import.meta.url).resolve('@mediapipe/tasks-vision'))
/** The build with SIMD, which every supported browser can run. */
const FILES = ['vision_wasm_internal.js', 'vision_wasm_internal.wasm']

/**
 * Copies the person segmenter's files into the build. MediaPipe loads them by name from a folder, which the pages
 * know as `import.meta.env.SEGMENTER_FILES`.
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
