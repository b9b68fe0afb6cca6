import { Button } from '../design/button.tsx'
import { Notice } from '../design/notice.tsx'
import type { Dictionary } from '../i18n/ja.ts'
import { useText } from '../i18n/text.ts'
import type { Check } from './device-check.ts'
import type { DeviceProblem } from './device-problem.ts'
import { areDevicesKeptByFrame, permissionPlaceOf } from './support.ts'

interface CheckProblemsProps {
  microphone: Check
  camera: Check
  onRetry: () => void
}

/** Notices about the problems of the device check. A refusal of both devices is shown once. */
export function CheckProblems({ microphone, camera, onRetry }: CheckProblemsProps) {
  const text = useText().problem
  if (isDenied(microphone) && isDenied(camera)) {
    return <ProblemNotice title={text.both} problem="denied" onRetry={onRetry} />
  }
  return [
    { kind: 'camera' as const, check: camera },
    { kind: 'microphone' as const, check: microphone },
  ].map(
    ({ kind, check }) =>
      check.status === 'failed' && (
        <ProblemNotice
          key={kind}
          title={problemTitle(text, kind, check.problem)}
          problem={check.problem}
          onRetry={onRetry}
        />
      ),
  )
}

interface ProblemNoticeProps {
  title: string
  problem: DeviceProblem
  onRetry: () => void
  /** Absent if the notice stays until the problem is solved. */
  onDismiss?: () => void
}

/** A notice about a device, with the remedy for this browser. */
export function ProblemNotice({ title, problem, onRetry, onDismiss }: ProblemNoticeProps) {
  const words = useText()
  const text = words.problem
  return (
    <Notice
      title={title}
      action={
        <>
          <Button size="small" onPress={onRetry}>
            {text.retry}
          </Button>
          {onDismiss !== undefined && (
            <Button size="small" onPress={onDismiss}>
              {text.dismiss}
            </Button>
          )}
        </>
      }
    >
      {helpFor(words, problem)}
    </Notice>
  )
}

export function problemTitle(
  text: Dictionary['problem'],
  kind: 'microphone' | 'camera',
  problem: DeviceProblem,
): string {
  return problem === 'blur' ? text.blur : text[kind][problem]
}

function helpFor({ problem: { help }, refusal }: Dictionary, problem: DeviceProblem): string {
  if (problem !== 'denied') return help[problem]
  const place = permissionPlaceOf({
    userAgent: navigator.userAgent,
    isKeptByFrame: areDevicesKeptByFrame(),
  })
  // A browser inside an app has no icon next to an address bar.
  return place === 'in-app' ? refusal['in-app'].body : help.denied[place]
}

function isDenied(check: Check): boolean {
  return check.status === 'failed' && check.problem === 'denied'
}
