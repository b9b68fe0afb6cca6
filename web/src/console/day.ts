/** Local calendar day of a moment, in the format of a date field: `2030-11-21`. */
export function dayOf(moment: Date): string {
  return `${moment.getFullYear()}-${two(moment.getMonth() + 1)}-${two(moment.getDate())}`
}

/** From local midnight to the next, which is 23 to 25 hours later. */
export function periodOfDay(day: string): { from: string; to: string } {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return {
    from: new Date(year, month - 1, date).toISOString(),
    to: new Date(year, month - 1, date + 1).toISOString(),
  }
}

function two(value: number): string {
  return String(value).padStart(2, '0')
}
