import type { Person as Present } from '@interview-room/contract/live-stream.ts'
import type { ComponentType, ReactNode } from 'react'
import type { CallConnection } from '../../connection/call-connection.ts'
import type { CallFacts, InRoom } from '../../connection/call-state.ts'
import { FileIcon, FlagIcon, PeopleIcon, QuestionIcon } from '../../design/icons.tsx'
import { loadedLater } from '../../design/loaded-later.tsx'
import { useCaptionsText } from '../../i18n/captions-text.ts'
import { useChatText } from '../../i18n/chat-text.ts'
import { usePeopleText } from '../../i18n/people-text.ts'
import { useToolsText } from '../../i18n/tools-text.ts'
import { useLive, useLiveState } from '../../live/use-live.tsx'
import { TranscriptIcon } from '../captions/caption-icons.tsx'
import type { CaptionChoice } from '../captions/use-caption-choice.ts'
import { CHANNEL_ICONS } from '../chat/channel-icon.tsx'
import { channelsOf, channelWords } from '../chat/channels.ts'
import { ChatPanel } from '../chat/chat-panel.tsx'
import { useStampKeys } from '../chat/use-stamp-keys.ts'
import type { Handouts } from '../handout/use-handouts.ts'
import { countOpen } from '../questions/in-order.ts'
import { RosterPanel } from '../roster/roster-panel.tsx'
import { PersonActions } from '../tools/person-actions.tsx'
import { usePersonDialogs } from '../tools/person-dialogs.tsx'

/** Loaded for moderators only. */
const HandoutPanel = loadedLater<{ handouts: Handouts }>(
  async () => (await import('../handout/handout-panel.tsx')).HandoutPanel,
)

/** Panelists have none of these panels. */
const TranscriptPanel = loadedLater<{ choice: CaptionChoice; isOpen: boolean }>(
  async () => (await import('../captions/transcript-panel.tsx')).TranscriptPanel,
)
const QuestionPanel = loadedLater(
  async () => (await import('../questions/question-panel.tsx')).QuestionPanel,
)
const RoomEventList = loadedLater(
  async () => (await import('../notices/room-event-list.tsx')).RoomEventList,
)

/** A panel that opens beside the pictures. It stays mounted while it is closed. */
export interface SidePanel {
  id: string
  label: string
  Icon: ComponentType
  /** The number on its button. 0 is not shown. */
  count: number
  /** The meaning of the count, if it is not the number of unread messages. */
  countText?: string | undefined
  /** A respondent must not read it, not even on a screen that a moderator shares. */
  isForStaff: boolean
  content: (isOpen: boolean) => ReactNode
}

interface PanelsProps {
  call: CallConnection
  state: InRoom
  handouts: Handouts
  captions: CaptionChoice
}

/** Every panel of this person, in the order of the buttons. */
export function usePanels({ state, handouts, captions }: PanelsProps): SidePanel[] {
  const text = useChatText()
  const tools = useToolsText()
  const { role } = useLive()
  const stampKeys = useStampKeys()
  const people = usePeopleText()
  const transcript = useTranscript(captions)
  const unread = useLiveState((live) => live.unread)
  const openCount = countOpen(useLiveState((live) => live.questions))
  const chats = channelsOf(role).map((visibility) => ({
    id: visibility,
    label: channelWords(text, role, visibility).tab,
    Icon: CHANNEL_ICONS[visibility],
    count: unread[visibility],
    isForStaff: visibility !== 'public',
    content: (isOpen: boolean) => (
      <ChatPanel visibility={visibility} isOpen={isOpen} stampKeys={stampKeys} />
    ),
  }))
  const { capabilities } = state.facts
  const handoutList = {
    id: 'handouts',
    label: tools.handout.tab,
    Icon: FileIcon,
    count: 0,
    isForStaff: true,
    content: () => <HandoutPanel handouts={handouts} />,
  }
  const questions = {
    id: 'questions',
    label: people.questions.tab,
    Icon: QuestionIcon,
    count: openCount,
    countText: people.questions.count(openCount),
    isForStaff: true,
    content: () => <QuestionPanel />,
  }
  const facts = {
    id: 'facts',
    label: tools.facts.title,
    Icon: FlagIcon,
    count: 0,
    isForStaff: true,
    content: () => <RoomEventList />,
  }
  return [
    ...chats,
    {
      id: 'roster',
      label: text.roster.tab,
      Icon: PeopleIcon,
      count: 0,
      isForStaff: role !== 'panelist',
      content: () => <Roster state={state} />,
    },
    ...(capabilities.canModerate ? [handoutList] : []),
    ...(role === 'panelist' ? [] : [questions, ...transcript, facts]),
  ]
}

/** The panel with what is said, where live text is on. */
function useTranscript(captions: CaptionChoice): SidePanel[] {
  const text = useCaptionsText().transcript
  const hasLiveText = useLiveState((live) => live.hasLiveText)
  if (!hasLiveText) return []
  const panel = {
    id: 'transcript',
    label: text.tab,
    Icon: TranscriptIcon,
    count: 0,
    isForStaff: true,
    content: (isOpen: boolean) => <TranscriptPanel choice={captions} isOpen={isOpen} />,
  }
  return [panel]
}

/** The people in the room, and the actions on them. */
function Roster({ state: { scene, facts } }: { state: InRoom }) {
  const { capabilities } = facts
  const { actions, dialogs } = usePersonTools(capabilities)
  return (
    <>
      <RosterPanel people={scene.people} canModerate={capabilities.canModerate} actions={actions} />
      {dialogs}
    </>
  )
}

function usePersonTools(capabilities: CallFacts['capabilities']) {
  const { openDialog, dialogs } = usePersonDialogs()
  const actions = (person: Present) => (
    <PersonActions
      person={person}
      capabilities={capabilities}
      onOpenDialog={(dialog) => openDialog(dialog, person)}
    />
  )
  return { actions, dialogs }
}
