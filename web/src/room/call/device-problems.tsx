import type { CallConnection } from '../../connection/call-connection.ts'
import type { Scene } from '../../connection/call-state.ts'
import type { DeviceKind } from '../../devices/device-problem.ts'
import { ProblemNotice, problemTitle } from '../../devices/problem-notice.tsx'
import { useText } from '../../i18n/text.ts'

const KINDS = ['microphone', 'camera'] as const satisfies readonly DeviceKind[]

interface DeviceProblemsProps {
  call: CallConnection
  problems: Scene['problems']
}

/** Joined without a device that was wanted: says which, why, and offers another try. */
export function DeviceProblems({ call, problems }: DeviceProblemsProps) {
  const text = useText().problem
  return KINDS.map((kind) => {
    const problem = problems[kind]
    if (problem === undefined) return null
    const retry = () =>
      void (kind === 'microphone' ? call.setMicrophone(true) : call.setCamera(true))
    return (
      <div key={kind}>
        <ProblemNotice
          title={problemTitle(text, kind, problem)}
          problem={problem}
          onRetry={retry}
          onDismiss={() => call.dismissProblem(kind)}
        />
      </div>
    )
  })
}
