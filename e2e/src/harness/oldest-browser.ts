/**
 * Takes away what a page may find in this browser and not in the oldest ones that docs/browsers.md names:
 * what came after Chrome 110, Firefox 125 or Safari 16.4. Runs in the page before its own scripts.
 */
export function forgetNewerFeatures(): void {
  const newer: readonly (readonly [object | undefined, readonly string[]])[] = [
    [AbortSignal, ['any']],
    [Promise, ['withResolvers', 'try']],
    [Object, ['groupBy']],
    [Map, ['groupBy']],
    [Map.prototype, ['getOrInsert', 'getOrInsertComputed']],
    [Array, ['fromAsync']],
    [
      Set.prototype,
      [
        'union',
        'intersection',
        'difference',
        'symmetricDifference',
        'isSubsetOf',
        'isSupersetOf',
        'isDisjointFrom',
      ],
    ],
    [URL, ['canParse', 'parse']],
    [URLSearchParams.prototype, ['size']],
    [String.prototype, ['isWellFormed', 'toWellFormed']],
    [ArrayBuffer.prototype, ['transfer', 'transferToFixedLength']],
    [Uint8Array, ['fromBase64', 'fromHex']],
    [Uint8Array.prototype, ['toBase64', 'toHex', 'setFromBase64', 'setFromHex']],
    [Intl, ['DurationFormat']],
    [RegExp, ['escape']],
    [Math, ['sumPrecise', 'f16round']],
    [Error, ['isError']],
    [Document.prototype, ['startViewTransition']],
    [HTMLElement.prototype, ['showPopover', 'hidePopover', 'togglePopover']],
    [
      globalThis,
      [
        'Float16Array',
        'DisposableStack',
        'AsyncDisposableStack',
        'SuppressedError',
        'scheduler',
        'requestIdleCallback',
        'cancelIdleCallback',
        'Iterator',
      ],
    ],
  ]
  for (const [owner, names] of newer) {
    for (const name of names) {
      if (owner !== undefined) Reflect.deleteProperty(owner, name)
    }
  }
  const iterators = Object.getPrototypeOf(Object.getPrototypeOf([].values())) as object
  for (const name of Reflect.ownKeys(iterators)) {
    if (typeof name === 'string') Reflect.deleteProperty(iterators, name)
  }
}
