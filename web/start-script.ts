import path from 'node:path'
import { build, type Plugin, type Rolldown } from 'vite'

const ENTRY = path.join(import.meta.dirname, 'src/start/watch-start.ts')

/** For people who have turned scripts off. It is in both languages, because choosing one needs scripts. */
const NO_SCRIPT =
  'JavaScript を有効にして、このページを再読み込みしてください。 / Turn on JavaScript, then reload this page.'

/**
 * Puts the script that watches the start into each page, before everything else, so that it always arrives with the
 * page. It is built for every browser that supports modules. The service lists its hash in the page's policy.
 */
export function startScript(): Plugin {
  return {
    name: 'start-script',
    apply: 'build',
    transformIndexHtml: {
      // Runs before the styles are inserted. A script after them would wait for them.
      order: 'pre',
      handler: async (_html, { filename }) =>
        filename.endsWith('/docs.html')
          ? []
          : [
              { tag: 'script', children: await builtScript(), injectTo: 'head' },
              { tag: 'noscript', children: `<p>${NO_SCRIPT}</p>`, injectTo: 'body-prepend' },
            ],
    },
  }
}

let built: Promise<string> | undefined

/** All pages have the same script. */
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
