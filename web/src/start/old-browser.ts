/** What the pages need and every browser of docs/browsers.md has: each minimum version is the first with all of it. */
interface Features {
  Array: { prototype: object }
  Intl: object
  Document: { prototype: object }
  CSS?: { supports?: (property: string, value: string) => boolean }
}

/** Whether the browser lacks something that every page needs: such a page would be broken, if it started. */
export function isTooOld({
  Array: arrays,
  Intl: intl,
  Document: documents,
  CSS: css,
}: Features = globalThis): boolean {
  const hasAll =
    'toSorted' in arrays.prototype &&
    'Segmenter' in intl &&
    'adoptedStyleSheets' in documents.prototype &&
    css?.supports?.('container-type', 'inline-size') === true
  return !hasAll
}
