import type { Locale } from '@interview-room/contract/vocabulary.ts'

const MEGABYTE_BYTES = 1_000_000

/** `1.2 MB`. */
export function sizeText(sizeBytes: number, locale: Locale): string {
  return (sizeBytes / MEGABYTE_BYTES).toLocaleString(locale, {
    style: 'unit',
    unit: 'megabyte',
    maximumFractionDigits: 1,
  })
}
