import path from 'node:path'
import { build, type Plugin, type Rolldown } from 'vite'

const ENTRY = path.join(import.meta.dirname, 'src/start/watch-start.ts')

/** For who has turned scripts off, in both languages: what to read cannot be chosen without them. */
const NO_SCRIPT =
  'JavaScript を有効にして、このページを再読み込みしてください。 / Turn on JavaScript, then reload this page.'

/**
 * Puts the script that watches over the start into each page, before everything else: it is there whenever the page is.
 * It is built for every browser that knows modules. The service names its hash in the page's policy.
 */
export function startScript(): Plugin {
  return {
    name: 'start-script',
    apply: 'build',
    transformIndexHtml: {
      // Before the styles are put in: a script behind them waits for them.
      order: 'pre',
      handler: async () => [
        { tag: 'script', children: await builtScript(), injectTo: 'head' },
        { tag: 'noscript', children: `<p>${NO_SCRIPT}</p>`, injectTo: 'body-prepend' },
      ],
    },
  }
}

let built: Promise<string> | undefined

/** The same for all pages. */
function builtScript(): Promise<string> {
  built ??= buildScript()
  return built
}

async function buildScript(): Promise<string> {
  const result = (await build({
    configFile: false,
    logLevel: 'warn',
    build: {
      target: 'es2015',
      write: false,
      modulePreload: false,
      rolldownOptions: { input: ENTRY, output: { format: 'iife' } },
    },
  })) as Rolldown.RolldownOutput
  return result.output[0].code.trim()
}
