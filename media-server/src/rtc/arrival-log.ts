import { distance16 } from '@interview-room/composer/sequence-numbers.ts'
import { DELTA_MAX_TICKS, encodeFeedback, TICKS_PER_MS } from './transport-feedback.ts'

interface Arrival {
  /** The transport-wide number, counted on beyond 16 bits. */
  number: number
  tick: number
}

/** Consecutive numbers, reported in one message. */
interface Run {
  first: number
  ticks: (number | undefined)[]
}

// A message about so many packets fits into one datagram, even in the worst case.
const PACKETS_MAX = 400
// More missing ones are no loss: the sender has restarted its numbers.
const MISSING_MAX = 300

/** Remembers when packets arrived until they have been reported to their sender. */
export class ArrivalLog {
  #arrivals: Arrival[] = []
  #newest: number | undefined
  #next: number | undefined
  #messageNumber = 0

  /** A packet with this transport-wide number (16 bits) has arrived. */
  note(sequenceNumber: number, atMs: number): void {
    const newest = this.#newest ?? sequenceNumber
    const number = newest + distance16(newest & 0xffff, sequenceNumber)
    this.#newest = Math.max(newest, number)
    this.#arrivals.push({ number, tick: Math.round(atMs * TICKS_PER_MS) })
  }

  /** The messages that report everything since the last call; none when nothing has arrived. */
  take(ssrcs: { senderSsrc: number; mediaSsrc: number }): Buffer[] {
    const arrivals = this.#arrivals.toSorted((a, b) => a.number - b.number)
    const newest = arrivals.at(-1)
    if (newest === undefined) return []

    this.#arrivals = []
    const runs = runsOf(arrivals, this.#next ?? newest.number)
    this.#next = Math.max(this.#next ?? 0, newest.number + 1)
    return runs.map(({ first, ticks }) => {
      const messageNumber = this.#messageNumber
      this.#messageNumber = (messageNumber + 1) & 0xff
      return encodeFeedback({
        ...ssrcs,
        baseSequenceNumber: first & 0xffff,
        messageNumber,
        arrivals: ticks,
      })
    })
  }
}

function runsOf(arrivals: readonly Arrival[], expected: number): Run[] {
  const runs: Run[] = []
  // A packet that comes after its loss was reported is reported again.
  let next = Math.min(expected, arrivals[0]?.number ?? expected)
  for (const { number, tick } of arrivals) {
    const missing = number - next
    // The same packet twice: the first counts.
    if (missing < 0) continue
    let run = runs.at(-1)
    if (run === undefined || !isRoomFor(tick, run, missing)) {
      run = { first: missing > MISSING_MAX ? number : next, ticks: [] }
      runs.push(run)
    }
    while (run.first + run.ticks.length < number) run.ticks.push(undefined)
    run.ticks.push(tick)
    next = number + 1
  }
  return runs
}

function isRoomFor(tick: number, run: Run, missing: number): boolean {
  const sinceLast = Math.abs(tick - (run.ticks.at(-1) ?? tick))
  return (
    missing <= MISSING_MAX &&
    run.ticks.length + missing < PACKETS_MAX &&
    sinceLast <= DELTA_MAX_TICKS
  )
}
