// The pages' content security policy refuses text where markup or the address of a script is expected (Trusted Types).
// Libraries still pass text in two cases, which this policy lets through: they empty an element, and they start a worker of
// our own. Anything else throws.

interface PolicyRules {
  createHTML(text: string): string | null
  createScriptURL(text: string): string | null
}

/** The part of the browser's `trustedTypes` that is used here. Browsers without it enforce nothing. */
interface PolicyFactory {
  createPolicy(name: 'default', rules: PolicyRules): unknown
}

export const RULES: PolicyRules = {
  createHTML: (text) => (text === '' ? '' : null),
  createScriptURL: (text) => {
    const { protocol, origin } = new URL(text, globalThis.location.href)
    return protocol === 'blob:' || origin === globalThis.location.origin ? text : null
  },
}

/** Call it once, before anything is drawn. */
export function restrictMarkup(
  { trustedTypes }: { trustedTypes?: PolicyFactory } = globalThis as {
    trustedTypes?: PolicyFactory
  },
): void {
  trustedTypes?.createPolicy('default', RULES)
}
