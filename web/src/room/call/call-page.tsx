import { useRef } from 'react'
import type { CallConnection } from '../../connection/call-connection.ts'
import { type InRoom, isAlone, type Scene } from '../../connection/call-state.ts'
import { Button } from '../../design/button.tsx'
import { SpeakerIcon } from '../../design/icons.tsx'
import { Redrawn } from '../../design/redrawn.tsx'
import { SkipLink } from '../../design/skip-link.tsx'
import { useFocusKept } from '../../design/use-focus-kept.ts'
import type { DeviceKind } from '../../devices/device-problem.ts'
import { ProblemNotice, problemTitle } from '../../devices/problem-notice.tsx'
import { useText } from '../../i18n/text.ts'
import { useToolsText } from '../../i18n/tools-text.ts'
import { useLiveState } from '../../live/use-live.tsx'
import { Captions } from '../captions/captions.tsx'
import { CAPTION_SIZE_REM, useCaptionChoice } from '../captions/use-caption-choice.ts'
import { firstChatOf } from '../chat/channels.ts'
import { ChatAnnouncements } from '../chat/chat-announcements.tsx'
import { ChatPreview } from '../chat/chat-preview.tsx'
import { useHandouts } from '../handout/use-handouts.ts'
import { Notices } from '../notices/notices.tsx'
import { QuestionNews } from '../questions/question-news.tsx'
import { Stage } from '../stage/stage.tsx'
import { FlipButton } from '../stage/tile-button.tsx'
import { useLayout } from '../stage/use-layout.ts'
import { type Hand, useHand } from '../tools/use-hand.ts'
import { Announcements } from './announcements.tsx'
import { BackKey } from './back-key.tsx'
import { CallHeader } from './call-header.tsx'
import styles from './call-page.module.css'
import { Controls, PhoneControls } from './controls.tsx'
import { nextNotice } from './next-focus.ts'
import { usePanels } from './panels.tsx'
import { focusPanelButton, PanelButtons, SidePanels, useOpenPanels } from './side-panels.tsx'
import { useStrayDrops } from './stray-drops.ts'
import { useIdle } from './use-idle.ts'
import { useRegionKeys } from './use-region-keys.ts'
import { useSmallness } from './use-smallness.ts'
import { useWake } from './wake-lock.ts'

const KINDS = ['microphone', 'camera'] as const satisfies readonly DeviceKind[]

interface CallPageProps {
  call: CallConnection
  state: InRoom
}

export function CallPage({ call, state }: CallPageProps) {
  const { scene, facts, phase } = state
  const { role } = facts.me
  const room = useRoom({ call, state })
  const { open, panels, view, hand, captions } = room
  const { ref, isSmall: isPhone } = useSmallness()
  const isIdle = useIdle(isPhone && phase === 'live' && open.openIds.length === 0)
  useStrayDrops()
  useRegionKeys()
  useWake(call)

  const controls = { call, state, view, hand, captions }
  const buttons = { panels, openIds: open.openIds, onToggle: open.toggle }
  const chatId = firstChatOf(role) ?? panels[0]?.id
  return (
    <div className={styles.page} ref={ref}>
      <i className={styles.letter} aria-hidden="true" />
      <div
        className={styles.room}
        data-scheme="dark"
        data-size={role === 'panelist' ? 'large' : 'medium'}
        data-phone={isPhone}
        data-idle={isIdle}
        data-panels={open.openIds.length}
      >
        <SkipLink />
        <CallHeader
          call={call}
          state={state}
          view={view}
          menu={isPhone ? { ...controls, ...buttons, chatId } : undefined}
        />
        <main className={styles.main}>
          <Pictures call={call} state={state} room={room} isFilled={isPhone} />
          <SidePanels
            panels={panels}
            openIds={open.openIds}
            isScreenShared={scene.screenShare === 'on'}
            onClose={open.close}
          />
        </main>
        {!isPhone && <PanelButtons {...buttons} place="rail" />}
        <div className={styles.bar}>
          <Redrawn>
            {isPhone && <PhoneControls call={call} state={state} chat={{ chatId, ...buttons }} />}
            {!isPhone && <Controls {...controls} />}
          </Redrawn>
        </div>
        <BackKey open={open} onLeave={() => void call.leave()} />
        <ChatAnnouncements />
        {role !== 'panelist' && <QuestionNews />}
        <Announcements people={scene.people} phase={phase} microphone={scene.microphone} />
      </div>
    </div>
  )
}

/** The choices of this page: its panels, the arrangement of the people, and the own hand. */
function useRoom({ call, state }: CallPageProps) {
  const { scene, facts } = state
  const isRespondent = facts.me.role === 'panelist'
  const open = useOpenPanels(firstChatOf(facts.me.role), { countMax: isRespondent ? 1 : 2 })
  const handouts = useHandouts({
    isOffered: facts.capabilities.canModerate,
    isOpen: open.openIds.includes('handouts'),
  })
  const captions = useCaptionChoice()
  const spotlight = useLiveState((live) => live.spotlight)
  return {
    open,
    handouts,
    captions,
    panels: usePanels({ call, state, handouts, captions }),
    view: useLayout(scene.people, { spotlight, isRespondent }),
    hand: useHand(scene.identity),
  }
}

interface PicturesProps extends CallPageProps {
  room: ReturnType<typeof useRoom>
  isFilled: boolean
}

/** The people and what is shown to everybody, with notices over them. */
function Pictures({ call, state, room, isFilled }: PicturesProps) {
  const { scene, facts } = state
  const { canModerate, isVisible } = facts.capabilities
  const text = useText().call
  // Respondents see a shared screen, and perhaps must not read along.
  const isReadAlone = facts.me.role === 'panelist' || scene.screenShare !== 'on'
  const hasLiveText = useLiveState((live) => live.hasLiveText)
  const { isOn, size } = room.captions
  const captions = {
    words: (
      <Redrawn>
        <Captions choice={room.captions} />
      </Redrawn>
    ),
    sizeRem: CAPTION_SIZE_REM[size],
  }
  return (
    <section
      className={styles.stage}
      data-panel={room.open.openIds.length > 0}
      data-region
      tabIndex={-1}
      aria-label={text.stage}
    >
      <Stage
        people={scene.people}
        view={room.view}
        isWatching={!isVisible}
        isAlone={isAlone(state)}
        isFilled={isFilled}
        handout={{ canModerate, handouts: room.handouts, pointer: call.pointer }}
        ownTools={scene.camera === 'on' && <FlipButton call={call} />}
        captions={hasLiveText && isOn && isReadAlone ? captions : null}
      />
      <Redrawn>
        <Over call={call} state={state} hand={room.hand} open={room.open} />
      </Redrawn>
    </section>
  )
}

interface OverProps extends CallPageProps {
  hand: Hand
  open: ReturnType<typeof useOpenPanels>
}

/** Notices and hints over the pictures. */
function Over({ call, state, hand, open }: OverProps) {
  const { scene, facts, phase } = state
  const place = useRef<HTMLDivElement>(null)
  useFocusKept(place, nextNotice)
  return (
    <div className={styles.over} ref={place}>
      <Notices
        call={call}
        scene={scene}
        isMediaUp={phase === 'live'}
        isAlone={isAlone(state)}
        isWatching={!facts.capabilities.isVisible}
      >
        <ChatPreview
          openIds={open.openIds}
          isScreenShared={scene.screenShare === 'on'}
          onOpen={(id) => {
            focusPanelButton(id)
            open.open(id)
          }}
        />
      </Notices>
      <Hints call={call} state={state} hand={hand} />
    </div>
  )
}

/** Warnings over the lower edge of the pictures. */
function Hints({ call, state: { scene, phase }, hand }: CallPageProps & { hand: Hand }) {
  const text = useText().call
  return (
    <div className={styles.hints}>
      {phase === 'reconnecting' && <p className={styles.hint}>{text.reconnectingLong}</p>}
      {scene.isSpeakingWhileMuted && (
        <p className={styles.hint} role="alert">
          {text.speakingWhileMuted}
        </p>
      )}
      {scene.isMicrophoneSilent && scene.problems.microphone === undefined && (
        <p className={styles.hint} role="alert">
          {text.microphoneSilent}
        </p>
      )}
      {scene.isAudioBlocked && (
        <Button look="primary" onPress={() => void call.startAudio()}>
          <SpeakerIcon />
          {text.tapToHear}
        </Button>
      )}
      <HandFailure hand={hand} />
      <DeviceReplaced call={call} replaced={scene.replaced} />
      <DeviceProblems call={call} problems={scene.problems} />
    </div>
  )
}

/** Says that the press had no effect. The button alone would look unchanged. */
function HandFailure({ hand }: { hand: Hand }) {
  const text = useToolsText()
  if (!hand.hasFailed) return null
  return (
    <p className={styles.hint} role="alert">
      <span>{text.hand.failed}</span>{' '}
      <Button size="small" onPress={hand.dismissFailure}>
        {text.device.dismiss}
      </Button>
    </p>
  )
}

interface DeviceProblemsProps {
  call: CallConnection
  problems: Scene['problems']
}

/** The person joined without a wanted device. Names the device and the reason, and offers another try. */
function DeviceProblems({ call, problems }: DeviceProblemsProps) {
  const text = useText().problem
  return KINDS.map((kind) => {
    const problem = problems[kind]
    if (problem === undefined) return null
    return (
      <div key={kind}>
        <ProblemNotice
          title={problemTitle(text, kind, problem)}
          problem={problem}
          onRetry={() => void call.retryDevice(kind)}
          onDismiss={() => call.dismissProblem(kind)}
        />
      </div>
    )
  })
}

interface DeviceReplacedProps {
  call: CallConnection
  replaced: Scene['replaced']
}

/** Names the device that replaced an unplugged one. */
function DeviceReplaced({ call, replaced }: DeviceReplacedProps) {
  const text = useToolsText().device
  return (
    <div role="alert">
      {replaced !== null && (
        <p className={styles.hint}>
          <span>{text.replaced[replaced.kind](replaced.label)}</span>{' '}
          <Button size="small" onPress={() => call.dismissReplaced()}>
            {text.dismiss}
          </Button>
        </p>
      )}
    </div>
  )
}
