import type { CastSpan, Member } from './cast.ts'
import { type PlacedExhibit, withExhibits } from './exhibits.ts'
import {
  type Box,
  boxesOf,
  type LayoutName,
  layoutNamed,
  type Size,
  stageBoxes,
} from './layouts.ts'
import { type Span, splitSpans } from './spans.ts'
import type { FocusChange } from './speech.ts'
import { type Spotlight, withSpotlight } from './spotlights.ts'

export interface Tile {
  box: Box
  /** The text on the tile; empty for none. */
  name: string
  video: Member['video']
  /** Shown instead of a person's picture. */
  exhibit?: PlacedExhibit
  /** The length of a gap in the recording, in whole seconds: the tile says so instead of showing anybody. */
  gapSec?: number
}

/** The arrangement of the picture over a range of frames. */
export interface Scene {
  fromFrame: number
  toFrame: number
  tiles: readonly Tile[]
}

export interface ScenePlan {
  canvas: Size
  frameOf: (ms: number) => number
  /** One picture fills everything, as for the recording of one participant. */
  isFill: boolean
  exhibits: readonly PlacedExhibit[]
  spotlights: readonly Spotlight[]
  /** Times in which nothing of anybody was captured. */
  empty: readonly Span[]
}

type SceneSpan = CastSpan & {
  exhibits: readonly PlacedExhibit[]
  /** Identity of the person whom everybody saw large. */
  spotlight: string | undefined
  /** The gap in the recording that it is a part of. */
  gap: Span | undefined
}

/** Places spans of a capture on its frames. */
export function planScenes(
  spans: readonly CastSpan[],
  focus: readonly FocusChange[],
  plan: ScenePlan,
): Scene[] {
  const { frameOf } = plan
  const [exhibits, spotlights] = plan.isFill ? [[], []] : [plan.exhibits, plan.spotlights]
  return withGaps(withSpotlight(withExhibits(spans, exhibits), spotlights), plan.empty)
    .flatMap((span) => splitByFocus(span, focus, plan))
    .map(({ span, speaker }) => ({
      fromFrame: frameOf(span.fromMs),
      toFrame: frameOf(span.toMs),
      tiles: tilesOf(span, speaker, plan),
    }))
    .filter(({ fromFrame, toFrame }) => fromFrame < toFrame)
}

function withGaps<S extends Span>(
  spans: readonly S[],
  empty: readonly Span[],
): (S & { gap: Span | undefined })[] {
  const changes = empty.flatMap(({ fromMs, toMs }) => [fromMs, toMs])
  return splitSpans(spans, changes).map((span) => ({
    ...span,
    gap: empty.find(({ fromMs, toMs }) => fromMs <= span.fromMs && toMs > span.fromMs),
  }))
}

function tilesOf(span: SceneSpan, speaker: string | undefined, plan: ScenePlan): Tile[] {
  if (span.gap !== undefined) {
    const gapSec = Math.round((span.gap.toMs - span.gap.fromMs) / 1000)
    return [{ box: { x: 0, y: 0, ...plan.canvas }, name: '', video: undefined, gapSec }]
  }
  const layout = layoutOf(span, plan)
  if (layout === 'stage') return stageTiles(span, plan)
  const members = ordered(span.members, layout, speaker)
  const boxes = boxesOf(layout, members.length, plan.canvas)
  return boxes.map((box, i) => {
    const { name = '', isScreen = false, video } = members[i] ?? {}
    return { box, name: plan.isFill || isScreen ? '' : name, video }
  })
}

/** Assumed aspect ratio of a shared screen, for the choice of an arrangement. */
const SCREEN_ASPECT = 16 / 9

/** Screens and exhibits are large, with people beside them. */
function stageTiles({ members, exhibits }: SceneSpan, { canvas }: ScenePlan): Tile[] {
  const screens = members.filter(({ isScreen }) => isScreen)
  const people = members.filter(({ isScreen }) => !isScreen)
  const aspects = [
    ...exhibits.map(({ media }) => media.width / media.height),
    ...screens.map(() => SCREEN_ASPECT),
  ]
  const boxes = stageBoxes(aspects, people.length, canvas)
  const large = [
    ...exhibits.map((exhibit) => ({ name: '', video: undefined, exhibit })),
    ...screens.map(({ video }) => ({ name: '', video })),
  ]
  const contents = [...large, ...people.map(({ name, video }) => ({ name, video }))]
  return boxes.map((box, i) => ({ box, name: '', video: undefined, ...contents[i] }))
}

function layoutOf(span: SceneSpan, { isFill }: ScenePlan): LayoutName | 'stage' {
  if (isFill) return 'fill'
  const named = layoutNamed(span.layout)
  const isStage = span.exhibits.length > 0 || (named === 'grid' && hasScreen(span))
  if (isStage) return 'stage'
  return named === 'grid' && spotlitMember(span) !== undefined ? 'speaker' : named
}

/** Undefined if the person is away. */
function spotlitMember({ members, spotlight }: SceneSpan): Member | undefined {
  if (spotlight === undefined) return undefined
  return members.find(({ identity, isScreen }) => identity === spotlight && !isScreen)
}

function hasScreen({ members }: CastSpan): boolean {
  return members.some(({ isScreen }) => isScreen)
}

/** Puts the member with the focus first: a shared screen, else the speaker. */
function ordered(
  members: readonly Member[],
  layout: LayoutName,
  speaker: string | undefined,
): Member[] {
  if (layout === 'grid') return [...members]
  const rank = (member: Member) => {
    if (member.isScreen) return 0
    if (layout === 'fill') return member.video === undefined ? 2 : 1
    return member.participant === speaker ? 1 : 2
  }
  return members.toSorted((a, b) => rank(a) - rank(b))
}

function splitByFocus(
  span: SceneSpan,
  focus: readonly FocusChange[],
  plan: ScenePlan,
): { span: SceneSpan; speaker: string | undefined }[] {
  const layout = layoutOf(span, plan)
  const speaker = focus.findLast(({ fromMs }) => fromMs <= span.fromMs)?.participant
  const hasFocus = layout === 'speaker' || layout === 'single-speaker'
  const spotlit = spotlitMember(span)
  if (spotlit !== undefined) return [{ span, speaker: spotlit.participant }]
  // A shared screen keeps the focus no matter who speaks.
  if (!hasFocus || hasScreen(span)) return [{ span, speaker: undefined }]

  const parts = [{ span, speaker }]
  for (const change of focus) {
    if (change.fromMs <= span.fromMs || change.fromMs >= span.toMs) continue
    const last = parts.at(-1)
    if (last === undefined) break
    parts.push({ span: { ...last.span, fromMs: change.fromMs }, speaker: change.participant })
    last.span = { ...last.span, toMs: change.fromMs }
  }
  return parts
}
