import { spawn } from 'node:child_process'
import path from 'node:path'
import { createDevPages } from './dev-pages.ts'

/**
 * `npm run dev` runs the service as `npm start` does and restarts it when its source changes. A dev server in front
 * of it updates open pages when theirs change. Open the printed address, not PORT.
 */
const ROOT = path.resolve(import.meta.dirname, '..')
const SERVICE_PORT = process.env['PORT'] ?? '3000'
const PAGES_PORT = Number(process.env['DEV_PORT'] ?? '5173')
const PUBLIC_URL = process.env['PUBLIC_URL'] ?? `http://localhost:${PAGES_PORT}`

const service = spawn(
  process.execPath,
  ['--watch', '--watch-preserve-output', 'server/src/local/start.ts', '--keep-pages'],
  { cwd: ROOT, stdio: 'inherit', env: { ...process.env, PORT: SERVICE_PORT, PUBLIC_URL } },
)
const pages = await createDevPages({
  port: PAGES_PORT,
  service: `http://127.0.0.1:${SERVICE_PORT}`,
})
await pages.listen()
process.stdout.write(`\nPages that follow their sources: ${PUBLIC_URL}\n`)

// Ctrl-C reaches the service as well. Forward other signals to it.
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    service.kill(signal)
    void pages.close()
  })
}
service.once('exit', (code) => process.exit(code ?? 0))
