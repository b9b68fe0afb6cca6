const STEPS_SEC = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600]
/** Times that fit beside each other where nothing is enlarged. */
const TICKS_MAX = 8

/** The times under the ruler, as many as can be read. */
export function ticksOf(durationSec: number, zoom: number): number[] {
  const step = STEPS_SEC.find((each) => durationSec / each <= TICKS_MAX * zoom) ?? 7200
  return Array.from({ length: Math.floor(durationSec / step) + 1 }, (_, at) => at * step)
}

/** The neighbour of an item in a lane, or the nearest one in another lane. */
export function nearestTo<Item extends { startSec: number }>(
  items: readonly Item[],
  sec: number,
): Item | undefined {
  let nearest: Item | undefined
  for (const item of items) {
    const isNearer =
      nearest === undefined || Math.abs(item.startSec - sec) < Math.abs(nearest.startSec - sec)
    if (isNearer) nearest = item
  }
  return nearest
}
