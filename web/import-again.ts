import type { Plugin } from 'vite'

/** An import of a part of the page that is loaded later, in the form that the build writes. */
const LOADED_LATER = /\bimport\(([`'"]\.\/[\w.-]+\.js[`'"])\)/g
/** Counts the failed attempts of each address while the page is open. */
const ATTEMPT =
  '(a,n=globalThis.failedImports??={})=>import(n[a]?a+"?"+n[a]:a).catch(e=>{n[a]=(n[a]??0)+1;throw e})'

/**
 * Retries a failed part of a page under another address. Firefox and Safari remember the failure of an address, and
 * answer with it whenever the part is requested again.
 */
export function importAgain(): Plugin {
  return {
    name: 'import-again',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      // Runs after the plugin that lists the parts to preload.
      order: 'post',
      handler(_options, bundle) {
        for (const output of Object.values(bundle)) {
          if (output.type === 'chunk') output.code = withAttempts(output.code)
        }
      },
    },
  }
}

export function withAttempts(code: string): string {
  return code.replaceAll(LOADED_LATER, `(${ATTEMPT})($1)`)
}
