/** A value of a cell. */
type Cell = string | number | boolean | null

/** Spreadsheets take the encoding of a file from it. */
const BYTE_ORDER_MARK = '\uFEFF'
/** A cell that begins like this would be a formula. */
const FORMULA = /^[=+\-@\t\r]/

/** A table as CSV (RFC 4180) in UTF-8, with the names of the columns first. */
export function csvOf(columns: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const lines = [columns, ...rows].map((cells) => cells.map((cell) => quoted(cell)).join(','))
  return `${BYTE_ORDER_MARK}${lines.join('\r\n')}\r\n`
}

function quoted(cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell !== 'string') return String(cell)
  const text = FORMULA.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** A place in a file as people write it: `1:02:03.4`. */
export function clockOf(sec: number): string {
  const tenths = Math.round(sec * 10)
  const [hours, minutes] = [Math.floor(tenths / 36_000), Math.floor(tenths / 600) % 60]
  const seconds = ((tenths % 600) / 10).toFixed(1).padStart(4, '0')
  return `${hours}:${String(minutes).padStart(2, '0')}:${seconds}`
}
