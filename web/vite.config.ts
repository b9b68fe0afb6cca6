import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { importAgain } from './import-again.ts'
import { pdfjsFiles } from './pdfjs-files.ts'
import { precompress } from './precompress.ts'
import { segmenterFiles } from './segmenter-files.ts'
import { startScript } from './start-script.ts'

const here = (file: string) => fileURLToPath(new URL(file, import.meta.url))

export default defineConfig({
  root: here('.'),
  base: '/',
  publicDir: false,
  plugins: [
    react(),
    startScript(),
    importAgain(),
    pdfjsFiles(),
    segmenterFiles(),
    precompress(),
    markBuilt(),
  ],
  build: {
    target: 'es2022',
    // docs/browsers.md
    cssTarget: ['chrome110', 'firefox125', 'safari16.4'],
    // The content security policy forbids data: addresses.
    assetsInlineLimit: 0,
    emptyOutDir: true,
    // The media client alone is that large. The size that counts is the compressed one.
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      input: {
        room: here('./room.html'),
        playground: here('./playground.html'),
        board: here('./board.html'),
        review: here('./review.html'),
        console: here('./console.html'),
        test: here('./test.html'),
        docs: here('./docs.html'),
        'not-found': here('./not-found.html'),
      },
      output: { chunkFileNames: 'assets/shared-[hash].js' },
    },
  },
})

/** Writes `.built` after everything else. A build without this file was killed. */
function markBuilt(): Plugin {
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
