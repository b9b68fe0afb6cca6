/**
 * The features that the pages need and every browser of docs/browsers.md has. Each minimum version is the first one
 * with all of them.
 */
interface Features {
  Array: { prototype: object }
  Intl: object
  Document: { prototype: object }
  CSS?: { supports?: (property: string, value: string) => boolean }
}

/** True if the browser lacks a feature that every page needs. Such a page would start broken. */
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
