/** A PDF with these pages, each with its text in a standard font that the file does not contain. */
export function makePdf(pages: readonly string[], { isEncrypted = false } = {}): Buffer {
  const count = pages.length
  const pageIds = pages.map((_, index) => 4 + 2 * index)
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${count} /Kids [${pageIds.map((id) => `${id} 0 R`).join(' ')}] >>`,
    '<< /Type /Font /Subtype /Type0 /BaseFont /HeiseiKakuGo-W5 /Encoding /UniJIS-UCS2-H ' +
      '/DescendantFonts [<< /Type /Font /Subtype /CIDFontType0 /BaseFont /HeiseiKakuGo-W5 ' +
      '/CIDSystemInfo << /Registry (Adobe) /Ordering (Japan1) /Supplement 2 >> >>] >>',
    ...pageIds.flatMap((id, index) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 480 270] /Contents ${id + 1} 0 R ` +
        '/Resources << /Font << /F1 3 0 R >> >> >>',
      streamOf(pages[index] ?? ''),
    ]),
  ]
  const trailer = isEncrypted ? PROTECTED : ''
  return fileOf(objects, trailer)
}

/** Encrypted with a password that is not empty: neither key fits the file. */
const PROTECTED =
  `/ID [<${'00'.repeat(16)}> <${'00'.repeat(16)}>] ` +
  `/Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <${'5a'.repeat(32)}> /U <${'a5'.repeat(32)}> >>`

function streamOf(text: string): string {
  const letters = Buffer.from(text, 'utf16le').swap16().toString('hex')
  const content = `0.9 0.95 1 rg 0 0 480 270 re f 0 g BT /F1 40 Tf 40 120 Td <${letters}> Tj ET`
  return `<< /Length ${content.length} >>\nstream\n${content}\nendstream`
}

function fileOf(objects: readonly string[], trailer: string): Buffer {
  let file = '%PDF-1.4\n'
  const places = objects.map((object, index) => {
    const place = file.length
    file += `${index + 1} 0 obj\n${object}\nendobj\n`
    return `${String(place).padStart(10, '0')} 00000 n \n`
  })
  const start = file.length
  const size = objects.length + 1
  file += `xref\n0 ${size}\n0000000000 65535 f \n${places.join('')}`
  file += `trailer\n<< /Size ${size} /Root 1 0 R ${trailer} >>\nstartxref\n${start}\n%%EOF\n`
  return Buffer.from(file, 'latin1')
}
