import react from '@vitejs/plugin-react'
import { createServer, type InlineConfig, type Plugin, type ViteDevServer } from 'vite'
import { pdfjsFiles } from './pdfjs-files.ts'
import { segmenterFiles } from './segmenter-files.ts'

/** Public addresses -> the page that answers each. */
const PAGES: readonly (readonly [address: RegExp, page: string])[] = [
  [/^\/(\?|$)/, '/playground.html'],
  [/^\/r\//, '/room.html'],
  [/^\/t\//, '/test.html'],
  [/^\/board(\?|$)/, '/board.html'],
  [/^\/v\//, '/review.html'],
  [/^\/console(\?|$)/, '/console.html'],
]
/** Requests for anything but a page's source go to the service. */
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

/** Serves the pages from their sources at `port`. Everything else comes from the service at the address `service`. */
export async function createDevPages({
  port,
  service,
  ...others
}: Pick<InlineConfig, 'cacheDir' | 'logLevel'> & {
  port: number
  service: string
}): Promise<ViteDevServer> {
  return createServer({
    ...others,
    configFile: false,
    root: import.meta.dirname,
    appType: 'mpa',
    plugins: [react(), pagesByAddress, pdfjsFiles(), segmenterFiles()],
    server: {
      port,
      strictPort: true,
      proxy: { [OF_THE_SERVICE]: { target: service } },
    },
  })
}
