import type { CastSpan, Member } from './cast.ts'
import { type Box, boxesOf, type LayoutName, layoutNamed, type Size } from './layouts.ts'
import type { FocusChange } from './speech.ts'

export interface Tile {
  box: Box
  /** Drawn on the tile; empty for none. */
  name: string
  video: Member['video']
}

/** What the picture looks like over a range of frames. */
export interface Scene {
  fromFrame: number
  toFrame: number
  tiles: readonly Tile[]
}

export interface ScenePlan {
  canvas: Size
  frameRate: number
  startMs: number
  /** One picture fills everything, as for the recording of one participant. */
  isFill: boolean
}

/** Lays the spans out on the frames of the recording. */
export function planScenes(
  spans: readonly CastSpan[],
  focus: readonly FocusChange[],
  plan: ScenePlan,
): Scene[] {
  const frameOf = (ms: number) => Math.round(((ms - plan.startMs) / 1000) * plan.frameRate)
  return spans
    .flatMap((span) => splitByFocus(span, focus, plan))
    .map(({ span, speaker }) => ({
      fromFrame: frameOf(span.fromMs),
      toFrame: frameOf(span.toMs),
      tiles: tilesOf(span, speaker, plan),
    }))
    .filter(({ fromFrame, toFrame }) => fromFrame < toFrame)
}

function tilesOf(span: CastSpan, speaker: string | undefined, plan: ScenePlan): Tile[] {
  const layout = layoutOf(span, plan)
  const members = ordered(span.members, layout, speaker)
  const boxes = boxesOf(layout, members.length, plan.canvas)
  return boxes.map((box, i) => {
    const { name = '', isScreen = false, video } = members[i] ?? {}
    return { box, name: plan.isFill || isScreen ? '' : name, video }
  })
}

function layoutOf(span: CastSpan, { isFill }: ScenePlan): LayoutName {
  if (isFill) return 'fill'
  const named = layoutNamed(span.layout)
  return named === 'grid' && hasScreen(span) ? 'speaker' : named
}

function hasScreen({ members }: CastSpan): boolean {
  return members.some(({ isScreen }) => isScreen)
}

/** Whoever has the focus comes first: a shared screen, else who speaks. */
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
  span: CastSpan,
  focus: readonly FocusChange[],
  plan: ScenePlan,
): { span: CastSpan; speaker: string | undefined }[] {
  const layout = layoutOf(span, plan)
  const speaker = focus.findLast(({ fromMs }) => fromMs <= span.fromMs)?.participant
  const hasFocus = layout === 'speaker' || layout === 'single-speaker'
  // A shared screen keeps the focus, whoever speaks.
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
