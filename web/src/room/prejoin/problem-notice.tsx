import { Button } from '../../design/button.tsx'
import { Notice } from '../../design/notice.tsx'
import type { DeviceProblem } from '../../connection/call-state.ts'
import type { Check } from '../../devices/device-check.ts'
import type { Dictionary } from '../../i18n/ja.ts'
import { useText } from '../text.ts'

interface ProblemNoticeProps {
  kind: 'microphone' | 'camera'
  check: Check
  onRetry(): void
}

/** What is wrong with a device, and what helps in this browser. */
export function ProblemNotice({ kind, check, onRetry }: ProblemNoticeProps) {
  const text = useText().problem
  if (check.status !== 'failed') return null
  return (
    <Notice
      title={text[kind][check.problem]}
      action={
        <Button size="small" onPress={onRetry}>
          {text.retry}
        </Button>
      }
    >
      {helpFor(text, check.problem)}
    </Notice>
  )
}

function helpFor(text: Dictionary['problem'], problem: DeviceProblem): string {
  if (problem !== 'denied') return text.help[problem]
  if (/firefox/i.test(navigator.userAgent)) return text.help.denied.firefox
  const isSafari = /safari/i.test(navigator.userAgent) && !/chrom|edg/i.test(navigator.userAgent)
  return isSafari ? text.help.denied.safari : text.help.denied.chrome
}
