import { spawn } from 'node:child_process'
import path from 'node:path'
import react from '@vitejs/plugin-react'
import { createServer, type Plugin } from 'vite'
import { pdfjsFiles } from './pdfjs-files.ts'
import { segmenterFiles } from './segmenter-files.ts'

/**
 * `npm run dev`: the service as `npm start` runs it, restarted when a source of it changes, behind a
 * server of the pages that replaces what changes in an open page. Open what this prints, not PORT.
 */
const ROOT = path.resolve(import.meta.dirname, '..')
const WEB = import.meta.dirname
const SERVICE_PORT = process.env['PORT'] ?? '3000'
const PAGES_PORT = Number(process.env['DEV_PORT'] ?? '5173')
const PUBLIC_URL = process.env['PUBLIC_URL'] ?? `http://localhost:${PAGES_PORT}`

/** Addresses as people have them -> the page behind each. */
const PAGES: readonly (readonly [address: RegExp, page: string])[] = [
  [/^\/(\?|$)/, '/playground.html'],
  [/^\/r\//, '/room.html'],
  [/^\/t\//, '/test.html'],
  [/^\/board(\?|$)/, '/board.html'],
  [/^\/console(\?|$)/, '/console.html'],
]
/** Whatever is no source of a page is the service's. */
const OF_THE_SERVICE = String.raw`^/(?!@|src/|node_modules/|[a-z]+\.html)`

const pagesByAddress: Plugin = {
  name: 'pages-by-address',
  configureServer(server) {
    server.middlewares.use((request, _response, next) => {
      const page = PAGES.find(([address]) => address.test(request.url ?? ''))
      if (page !== undefined) request.url = page[1]
      next()
    })
  },
}

const service = spawn(
  process.execPath,
  ['--watch', '--watch-preserve-output', 'scripts/run.mjs', 'server/src/local/start.ts'],
  { cwd: ROOT, stdio: 'inherit', env: { ...process.env, PORT: SERVICE_PORT, PUBLIC_URL } },
)
const pages = await createServer({
  configFile: false,
  root: WEB,
  appType: 'mpa',
  plugins: [react(), pagesByAddress, pdfjsFiles(), segmenterFiles()],
  server: {
    port: PAGES_PORT,
    strictPort: true,
    proxy: { [OF_THE_SERVICE]: { target: `http://127.0.0.1:${SERVICE_PORT}` } },
  },
})
await pages.listen()
process.stdout.write(`\nPages that follow their sources: ${PUBLIC_URL}\n`)

// Ctrl-C reaches the service as well; a stop from elsewhere is handed on.
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    service.kill(signal)
    void pages.close()
  })
}
service.once('exit', (code) => process.exit(code ?? 0))
