import type { Plugin } from 'vite'

/** A part of a page that is loaded later, as the build writes it. */
const LOADED_LATER = /\bimport\(([`'"]\.\/[\w.-]+\.js[`'"])\)/g
/** Counts how often an address has failed, for as long as the page is open. */
const ATTEMPT =
  '(a,n=globalThis.failedImports??={})=>import(n[a]?a+"?"+n[a]:a).catch(e=>{n[a]=(n[a]??0)+1;throw e})'

/**
 * Loads a part of a page under another address where it could not be loaded: Firefox and Safari remember the failure of
 * an address, and answer with it whenever the part is asked for again.
 */
export function importAgain(): Plugin {
  return {
    name: 'import-again',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      // Behind what lists the parts to be loaded ahead.
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
