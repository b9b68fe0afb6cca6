import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { type HttpListener, listenHttp } from './http-listener.ts'

/** Bundles the page in memory and serves it: the client library is the published one, untouched. */
export async function serveClientPage(): Promise<HttpListener> {
  const script = await bundle(fileURLToPath(new URL('./page.ts', import.meta.url)))
  const html =
    '<!doctype html><meta charset="utf-8"><title>client</title><script src="/client.js"></script>'

  return listenHttp((request, response) => {
    const isScript = request.url === '/client.js'
    response
      .setHeader('Content-Type', isScript ? 'text/javascript' : 'text/html; charset=utf-8')
      .end(isScript ? script : html)
  })
}

async function bundle(entry: string): Promise<string> {
  const bundler = await rolldown({ input: entry, platform: 'browser', logLevel: 'silent' })
  try {
    const { output } = await bundler.generate({ format: 'iife', sourcemap: false })
    return output[0].code
  } finally {
    await bundler.close()
  }
}
