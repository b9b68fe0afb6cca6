import { ROLES, VISIBILITIES } from '@interview-room/contract/vocabulary.ts'
import * as fc from 'fast-check'

/** Begin of a booked slot, in minutes from now. The half keeps every window's bound away from whole minutes. */
const SLOTS = { now: -7.5, soon: 13.5, later: 127.5 } as const
const SLOT_MIN = 60
export type Slot = keyof typeof SLOTS | 'backwards' | 'past' | 'endless'

/** Start and end of the slot, in minutes from now. */
export function minutesOf(slot: Slot): [start: number, end: number] {
  if (slot === 'backwards') return [13.5, 3.5]
  if (slot === 'past') return [-127.5, -7.5]
  if (slot === 'endless') return [13.5, 13.5 + 25 * 60]
  return [SLOTS[slot], SLOTS[slot] + SLOT_MIN]
}

/** Faults that strike all processes. Only one at a time is made, whichever history asks for it. */
const SHARED_FAULTS = [
  'kill an api process',
  'kill a worker',
  'freeze an api process',
  'freeze a worker',
  'database away',
  'database silent',
  'database only reads',
  'switchover',
  'storage away',
  'storage with wrong bytes',
] as const
/** Faults of what one tenant receives. */
export const OWN_FAULTS = [
  'notification lost',
  'notification doubled',
  'notification late',
  'receiver refuses',
] as const
export type SharedFault = (typeof SHARED_FAULTS)[number]
export type OwnFault = (typeof OWN_FAULTS)[number]
export type Fault = SharedFault | OwnFault

/** The n-th room that was booked, modulo their number. */
const room: fc.Arbitrary<number> = fc.constantFrom(0, 0, 0, 1, 2)
/** People of the tenant. Each may enter each room in each role. */
const person = fc.nat(2)
const role = fc.constantFrom(...ROLES)
const anyRole = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom('moderator' as const, 'panelist' as const) },
  { weight: 1, arbitrary: role },
)
const visibility = fc.constantFrom(...VISIBILITIES)
const goodSlot = fc.constantFrom<Slot>('now', 'now', 'now', 'soon', 'later')
const anySlot = fc.oneof(
  { weight: 5, arbitrary: goodSlot },
  { weight: 1, arbitrary: fc.constantFrom<Slot>('backwards', 'past', 'endless') },
)
const archive = fc.constantFrom(...(['manual', 'manual', 'manual', 'always'] as const))
const consent = fc.constantFrom('given' as const, 'given' as const, 'declined' as const, null)

const steps = {
  book: fc.record({
    do: fc.constant('book' as const),
    slot: anySlot,
    archive,
    /** Takes the reference of this room again. */
    twinOf: fc.oneof({ weight: 5, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: room }),
  }),
  move: fc.record({ do: fc.constant('move' as const), room, slot: anySlot }),
  enter: fc.record({ do: fc.constant('enter' as const), room, person, role: anyRole, consent }),
  answer: fc.record({
    do: fc.constant('answer' as const),
    room,
    person,
    consent: fc.constantFrom('given' as const, 'declined' as const, 'withdrawn' as const),
  }),
  leave: fc.record({ do: fc.constant('leave' as const), room, person }),
  say: fc.record({ do: fc.constant('say' as const), room, person, visibility }),
  read: fc.record({ do: fc.constant('read' as const), room, person }),
  hand: fc.record({
    do: fc.constant('hand' as const),
    room,
    person,
    type: fc.constantFrom('hand.raised' as const, 'hand.lowered' as const),
  }),
  record: fc.record({
    do: fc.constant('record' as const),
    room,
    person,
    command: fc.constantFrom(
      'start' as const,
      'start' as const,
      'pause' as const,
      'resume' as const,
      'stop' as const,
    ),
  }),
  ban: fc.record({ do: fc.constant('ban' as const), room, person }),
  close: fc.record({ do: fc.constant('close' as const), room }),
  closeInside: fc.record({ do: fc.constant('close inside' as const), room, person }),
  cancel: fc.record({ do: fc.constant('cancel' as const), room }),
  purge: fc.record({
    do: fc.constant('purge' as const),
    room,
    visibility: fc.option(visibility, { freq: 2 }),
  }),
  pass: fc.record({ do: fc.constant('pass' as const), minutes: fc.constantFrom(11, 53, 251) }),
  make: fc.record({
    do: fc.constant('make' as const),
    room,
    what: fc.constantFrom(
      'trim' as const,
      'clip' as const,
      'transcription' as const,
      'download' as const,
    ),
  }),
  remove: fc.record({
    do: fc.constant('remove' as const),
    room,
    what: fc.constantFrom('recording' as const, 'trim' as const),
  }),
}

type Value<A> = A extends fc.Arbitrary<infer T> ? T : never
/** A single act of a tenant's backend or of a person. */
export type Act = { [K in keyof typeof steps]: Value<(typeof steps)[K]> }[keyof typeof steps]
export type Step = Act | { do: 'together'; acts: [Act, Act] } | { do: 'fault'; fault: Fault }

type Kind = keyof typeof steps

/** Draws each kind as often as its number says. */
function drawnFrom(weights: Partial<Record<Kind, number>>): fc.Arbitrary<Act> {
  const kinds = Object.entries(weights) as [Kind, number][]
  return fc.oneof(...kinds.map(([kind, weight]) => ({ weight, arbitrary: steps[kind] })))
}

const act = drawnFrom({
  book: 3,
  move: 3,
  enter: 22,
  answer: 4,
  leave: 6,
  say: 8,
  read: 4,
  hand: 3,
  record: 14,
  ban: 3,
  close: 1,
  closeInside: 1,
  cancel: 1,
  purge: 2,
  pass: 2,
  make: 6,
  remove: 3,
})

/** Acts of one request each, so that either comes wholly before the other. */
const momentary = drawnFrom({
  book: 6,
  move: 1,
  say: 4,
  ban: 2,
  close: 1,
  closeInside: 2,
  cancel: 1,
  purge: 1,
})

const fault: fc.Arbitrary<Fault> = fc.oneof(
  { weight: 1, arbitrary: fc.constantFrom(...SHARED_FAULTS) },
  { weight: 8, arbitrary: fc.constantFrom(...OWN_FAULTS) },
)

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 12, arbitrary: act },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('together' as const),
      acts: fc.tuple(momentary, momentary),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('fault' as const), fault }) },
)

const PEOPLE: Step[] = [
  { do: 'enter', room: 0, person: 0, role: 'moderator', consent: null },
  { do: 'enter', room: 0, person: 1, role: 'panelist', consent: 'given' },
]
const RECORDED: Step[] = [
  ...PEOPLE,
  { do: 'record', room: 0, person: 0, command: 'start' },
  { do: 'record', room: 0, person: 0, command: 'stop' },
]
/** The acts in the first room before anything is drawn. */
const BEGINNINGS = { empty: [], people: PEOPLE, recorded: RECORDED } satisfies Record<
  string,
  Step[]
>

/** A room that is booked first, and what happens then. */
export interface History {
  archive: 'manual' | 'always'
  beginning: keyof typeof BEGINNINGS
  steps: Step[]
  /** The person who is erased when all rooms are over. */
  erased: number | null
}

const STEPS_MAX = 16
const beginning = fc.constantFrom(
  'empty' as const,
  'people' as const,
  'people' as const,
  'recorded' as const,
)

/** Without a bias: each is the first of its seed, and the first ones would be small. */
export const histories: fc.Arbitrary<History> = fc.noBias(
  fc.record({
    archive,
    beginning,
    steps: fc.array(step, { maxLength: STEPS_MAX, size: 'max' }),
    erased: fc.option(person, { freq: 2 }),
  }),
)

export function allStepsOf({ archive: mode, beginning: first, steps: drawn }: History): Step[] {
  const booked: Step = { do: 'book', slot: 'now', archive: mode, twinOf: null }
  return [booked, ...BEGINNINGS[first], ...drawn]
}

/** The same for the same seed, always. */
export function historyOf(seed: number): History {
  const [history] = fc.sample(histories, { seed, numRuns: 1 })
  if (history === undefined) throw new Error('no sample')
  return history
}

/** One line for people. */
export function describeStep(step: Step): string {
  if (step.do === 'together') return `together(${step.acts.map(describeStep).join(' | ')})`
  if (step.do === 'fault') return `fault: ${step.fault}`
  const { do: name, ...fields } = step
  const words = Object.entries(fields).map(([key, value]) => `${key}=${value}`)
  return `${name}(${words.join(' ')})`
}
