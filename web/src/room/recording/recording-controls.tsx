import { useId, useState } from 'react'
import { Button as AriaButton, Dialog, DialogTrigger, Heading } from 'react-aria-components'
import { Button } from '../../design/button.tsx'
import { ChevronIcon } from '../../design/icons.tsx'
import { useConsentText } from '../../i18n/consent-text.ts'
import { useLocale } from '../../i18n/language.tsx'
import { durationText, momentText, timecode } from '../../i18n/times.ts'
import { useLiveState } from '../../live/use-live.tsx'
import { useServiceNow } from '../../live/use-service-now.ts'
import { openConsentsOf } from '../consent/open-consents.ts'
import { RoomPopover } from '../tools/room-popover.tsx'
import { DialogButtons, ToolDialog } from '../tools/tool-dialog.tsx'
import toolStyles from '../tools/tools.module.css'
import { useShortcuts } from '../tools/use-shortcuts.ts'
import { RecordingAlarm } from './recording-alarm.tsx'
import styles from './recording-controls.module.css'
import type { Doubt } from './recording-doubt.ts'
import { RecordingIndicator } from './recording-indicator.tsx'
import { outcomeOf } from './recording-outcome.ts'
import { phaseOf } from './recording-phase.ts'
import { useRecordingText } from './recording-text.ts'
import { recordedSec, remainingSec } from './recording-time.ts'
import { useRecordingControl } from './use-recording-control.ts'

const TICK_MS = 1_000

interface RecordingControlsProps {
  endsAt: Date | null
  doubt: Doubt['kind'] | null
}

/** The sign of the recording with its time, which opens the controls to start, pause, resume and end it. */
export function RecordingControls({ endsAt, doubt }: RecordingControlsProps) {
  const text = useRecordingText()
  const control = useRecordingControl()
  const { isSending, say, next } = control
  const signId = useId()
  const phase = phaseOf(useLiveState((state) => state.recording))
  const [isOpen, setIsOpen] = useState(false)
  const [isAsking, setIsAsking] = useState(false)

  async function sayNext(): Promise<void> {
    // A refusal is shown in the panel, even when the command came from the keyboard.
    if (!isSending && !(await say(next))) setIsOpen(true)
  }

  useShortcuts({ 'shift+r': () => void sayNext() })
  return (
    <>
      <DialogTrigger isOpen={isOpen} onOpenChange={setIsOpen}>
        <AriaButton className={styles.open ?? ''} aria-label={text.open} aria-describedby={signId}>
          <span id={signId} className={styles.sign}>
            {phase === null ? (
              <>
                <i className={styles.icon} />
                <span>{text.idle}</span>
              </>
            ) : (
              <RecordingIndicator doubt={doubt} />
            )}
            <Elapsed />
          </span>
          <ChevronIcon />
        </AriaButton>
        <RoomPopover placement="bottom end" shape="panel">
          <ControlPanel
            control={control}
            endsAt={endsAt}
            doubt={doubt}
            onNext={() => void sayNext()}
            onStop={() => {
              setIsOpen(false)
              setIsAsking(true)
            }}
          />
        </RoomPopover>
      </DialogTrigger>
      <StopDialog control={control} isOpen={isAsking} onOpenChange={setIsAsking} />
    </>
  )
}

/** The recorded time, while there is a recording. */
function Elapsed() {
  const recording = useLiveState((state) => state.recording)
  const nowMs = useServiceNow(TICK_MS)
  if (recording?.status !== 'started' && recording?.status !== 'paused') return null
  return <span className={styles.elapsed}>{timecode(recordedSec(recording, nowMs))}</span>
}

interface ControlPanelProps extends RecordingControlsProps {
  control: ReturnType<typeof useRecordingControl>
  onNext: () => void
  onStop: () => void
}

function ControlPanel({ control, endsAt, doubt, onNext, onStop }: ControlPanelProps) {
  const text = useRecordingText()
  const { isSending, refused, next } = control
  return (
    // It names the shortcut, which also works while the dialog is open.
    <Dialog className={toolStyles.panel ?? ''} data-shortcuts="">
      <Heading slot="title" level={2}>
        {text.title}
      </Heading>
      {/* While the panel is open, screen readers read nothing outside of it. */}
      <RecordingAlarm doubt={doubt} isInPanel />
      <Times endsAt={endsAt} />
      <Outcome />
      <RecordingConsents />
      <div className={styles.buttons}>
        <Button
          look="primary"
          // Pending instead of disabled: a button that loses the focus takes the Escape key with it.
          isPending={isSending}
          onPress={onNext}
        >
          {text[next]}
        </Button>
        {next !== 'start' && <Button onPress={onStop}>{text.stop}</Button>}
      </div>
      <output className={styles.note}>{isSending ? text.sending : text.key}</output>
      {refused !== null && (
        <p role="alert">{text.refused[refused === 'stop' ? 'other' : refused]}</p>
      )}
    </Dialog>
  )
}

/** The state of the video after the stop, and its missing parts. */
function Outcome() {
  const text = useRecordingText().outcome
  const locale = useLocale()
  const outcome = outcomeOf(useLiveState((state) => state.recording))
  if (outcome === null) return null
  if (outcome.kind === 'available') return <p>{text.available}</p>
  if (outcome.kind === 'incomplete') {
    return <p>{text.incomplete(durationText(Math.ceil(outcome.missingSec)))}</p>
  }
  const { percent, availableAt } = outcome
  const progress = percent === null ? text.waiting : text.making(percent)
  const end = availableAt === null ? '' : ` ${text.availableAt(momentText(availableAt, locale))}`
  return <p>{`${progress}${end}`}</p>
}

function Times({ endsAt }: { endsAt: Date | null }) {
  const text = useRecordingText()
  const recording = useLiveState((state) => state.recording)
  const nowMs = useServiceNow(TICK_MS)
  const isRunning = recording?.status === 'started' || recording?.status === 'paused'
  return (
    <p className={styles.times}>
      <span>{isRunning ? text.elapsed(timecode(recordedSec(recording, nowMs))) : text.none}</span>
      {endsAt !== null && (
        <span>{text.remaining(timecode(remainingSec(endsAt.getTime(), nowMs)))}</span>
      )}
    </p>
  )
}

interface StopDialogProps {
  control: ReturnType<typeof useRecordingControl>
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
}

/** Asks once before the recording ends for good. */
function StopDialog({ control, isOpen, onOpenChange }: StopDialogProps) {
  const { confirm, refused } = useRecordingText()
  async function stop(): Promise<void> {
    if (await control.say('stop')) onOpenChange(false)
  }
  return (
    <ToolDialog title={confirm.title} isOpen={isOpen} onOpenChange={onOpenChange} isAlert>
      <p>{confirm.body}</p>
      {control.refused === 'stop' && <p role="alert">{refused.other}</p>}
      <DialogButtons>
        <Button onPress={() => onOpenChange(false)}>{confirm.cancel}</Button>
        <Button look="danger" isPending={control.isSending} onPress={() => void stop()}>
          {confirm.confirm}
        </Button>
      </DialogButtons>
    </ToolDialog>
  )
}

/** Tells a moderator which consents the recording is waiting for now. */
function RecordingConsents() {
  const text = useConsentText().staff
  const roster = useLiveState((state) => state.roster)
  const { pending, refused } = openConsentsOf(roster)
  const isAsked = roster.some(({ consents }) => consents !== undefined)
  if (!isAsked) return null
  return (
    <output aria-label={text.title}>
      {pending.length > 0 && <p>{text.waits(pending.join(text.separator))}</p>}
      {refused.length > 0 && <p>{text.refused(refused.join(text.separator))}</p>}
      {pending.length + refused.length === 0 && <p>{text.everybody}</p>}
    </output>
  )
}
