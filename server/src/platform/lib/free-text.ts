// oxlint-disable-next-line no-control-regex -- these are what is taken out
const UNWANTED = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/gu

/** Text that people wrote for people: line breaks and tabs stay, other control characters go. */
export function cleanFreeText(given: string): string {
  return given.replaceAll(UNWANTED, '')
}
