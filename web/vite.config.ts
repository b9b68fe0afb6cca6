import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { markBuilt } from './mark-built.ts'
import { pdfjsFiles } from './pdfjs-files.ts'
import { precompress } from './precompress.ts'
import { segmenterFiles } from './segmenter-files.ts'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

export default defineConfig({
  root: here('.'),
  base: '/',
  publicDir: false,
  plugins: [react(), pdfjsFiles(), segmenterFiles(), precompress(), markBuilt()],
  build: {
    target: 'es2022',
    // The content security policy allows no data: addresses.
    assetsInlineLimit: 0,
    emptyOutDir: true,
    // The media client alone is that large; what counts is the size on the wire.
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      input: {
        room: here('./room.html'),
        playground: here('./playground.html'),
        board: here('./board.html'),
        console: here('./console.html'),
        test: here('./test.html'),
      },
      output: { chunkFileNames: 'assets/shared-[hash].js' },
    },
  },
})
