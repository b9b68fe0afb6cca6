import type { ConsentPurpose } from '@interview-room/contract/vocabulary.ts'
import type { Visibility } from '@interview-room/contract/vocabulary.ts'
import type { en } from '@interview-room/web/src/i18n/en.ts'
import type { peopleEn } from '@interview-room/web/src/i18n/people-en.ts'
import type { recordingEn } from '@interview-room/web/src/i18n/recording-en.ts'
import type { toolsEn } from '@interview-room/web/src/i18n/tools-en.ts'
import type { Locator, Page } from 'playwright-core'
import { SOON } from './wait.ts'
import {
  ANYTHING,
  beginningWith,
  chatText,
  consentText,
  containing,
  peopleText,
  recordingText,
  roomText,
  toolsText,
} from './words.ts'

// Locators of a room's page. They find elements as a person does: by role and name.

// Before and after the room.

/** Matches whichever devices are missing. */
export function joinButton(page: Page): Locator {
  const name = roomText((t) => [t.join, ...Object.values(t.joinWithout)])
  return page.getByRole('button', { name })
}

/** Agrees to the page's question, or declines. */
export function consentButton(page: Page, answer: 'give' | 'decline'): Locator {
  const name = consentText((t) =>
    answer === 'give'
      ? [t.give, t.next]
      : [t.recording.required.decline, t.recording.optional.decline, t.observation.decline],
  )
  return page.getByRole('button', { name })
}

/** The page that asks for consent to observers. */
export const observationQuestion = (page: Page) =>
  titledPage(
    page,
    consentText((t) => t.observation.title),
  )

/** The page that asks for consent to live text. */
export const transcriptionQuestion = (page: Page) =>
  titledPage(
    page,
    consentText((t) => t.transcription.title),
  )

/** Tells observers that they wait. */
export const observationNotice = (page: Page) =>
  page.getByRole('status').getByText(consentText((t) => t.staff.observing))

/** The page that says that the room has opened, and its button. */
export const openPage = (page: Page) =>
  titledPage(
    page,
    consentText((t) => t.open.title),
  )
export const goButton = (page: Page) =>
  page.getByRole('button', { name: consentText((t) => t.open.go) })

/** The information about the interview, on the prejoin page and while waiting. */
export const interviewInfo = (page: Page) =>
  page.getByRole('region', { name: consentText((t) => t.info.label) })

/** Opens the choice of devices on the prejoin page. */
export const openDevices = async (page: Page) =>
  page
    .locator('summary')
    .filter({ hasText: roomText((t) => t.device.menuTitle) })
    .click()

/** The button on a page that lets a person in again. */
export const joinAgainButton = (page: Page) =>
  page.getByRole('button', { name: roomText((t) => [t.refusal.joinAgain, t.left.again]) })

/** The page on the way into the room, and its button that gives up. */
export const connectingPage = (page: Page) =>
  titledPage(
    page,
    roomText((t) => t.connecting.title),
  )
export const stopJoiningButton = (page: Page) =>
  page.getByRole('button', { name: roomText((t) => t.connecting.stop) })

/** Says why a connection does not come up. */
export const trouble = (page: Page, why: keyof typeof en.trouble) =>
  page.getByText(roomText((t) => t.trouble[why]))

type RefusalPage = Exclude<
  keyof typeof en.refusal,
  'retry' | 'joinAgain' | 'reconsider' | 'joinHere'
>

/** The heading of a page that says why a person is not in the room. */
export const refusalTitle = (why: RefusalPage) => roomText((t) => t.refusal[why].title)

/** A page that says why a person is not in the room. */
export const refusal = (page: Page, why: RefusalPage) => titledPage(page, refusalTitle(why))

export const leftPage = (page: Page) =>
  titledPage(
    page,
    roomText((t) => t.left.title),
  )

export function titledPage(page: Page, title: RegExp): Locator {
  return page
    .getByRole('main')
    .filter({ has: page.getByRole('heading', { level: 1, name: title }) })
}

// The call.

/** The badge that shows the state of the connection. */
export function connection(page: Page, state: 'live' | 'reconnecting'): Locator {
  const name = roomText((t) => t.call[state])
  return page.getByRole('banner').getByRole('button', { name })
}

/** Shown once the room is entered and its media are connected. */
export const liveRoom = (page: Page) => connection(page, 'live')

const CONTROLS = {
  microphone: roomText((t) => [t.call.muteMicrophone, t.call.unmuteMicrophone]),
  mute: roomText((t) => t.call.muteMicrophone),
  unmute: roomText((t) => t.call.unmuteMicrophone),
  camera: roomText((t) => [t.call.stopCamera, t.call.startCamera]),
  startCamera: roomText((t) => t.call.startCamera),
  hand: toolsText((t) => [t.hand.raise, t.hand.lower]),
  lowerHand: toolsText((t) => t.hand.lower),
  help: toolsText((t) => t.help.button),
  consent: consentText((t) => t.own.button),
  mark: toolsText((t) => t.marker.button),
  more: toolsText((t) => t.more.button),
  devices: roomText((t) => t.device.menu),
  leave: roomText((t) => t.call.leave),
  layout: toolsText((t) => [t.layout.grid, t.layout.speaker]),
  fullScreen: toolsText((t) => [t.layout.fullScreen, t.layout.leaveFullScreen]),
  connection: roomText((t) => [t.call.live, t.call.reconnecting]),
  recording: recordingText((t) => t.open),
}

type Control = keyof typeof CONTROLS

/** A button of the room. A button whose name changes with its state is found in one state only. */
export function control(page: Page, which: Control): Locator {
  return page.getByRole('button', { name: CONTROLS[which] })
}

/** The button that shares one's own screen, or ends that. */
export const shareButton = (page: Page, state: 'off' | 'on' = 'off') =>
  page.getByRole('button', {
    name: peopleText((t) => (state === 'on' ? t.stopScreen : t.shareScreen)),
  })

/** An item of the open menu. */
export function menuItem(page: Page, name: RegExp): Locator {
  return page.getByRole('menuitem', { name })
}

/** Opens the menu More, and presses one of its items. On a phone the menu stays open, and is closed again. */
export async function chooseMore(page: Page, name: RegExp): Promise<void> {
  await control(page, 'more').click()
  await menuItem(page, name).or(phoneMenu(page).getByRole('button', { name })).click()
  await closePhoneMenu(page)
}

export const consentDialog = (page: Page) =>
  page.getByRole('dialog', { name: consentText((t) => t.own.title) })
/** A button of the open dialog about the panelist's consent. */
export function ownConsentButton(
  page: Page,
  which: 'give' | 'withdraw',
  purpose: ConsentPurpose = 'recording',
): Locator {
  const name = consentText((t) => t.own[which][purpose])
  return consentDialog(page).getByRole('button', { name })
}
export const helpDialog = (page: Page) =>
  dialog(page, 'dialog', (t) => [t.help.title, t.callOperator.title])
export const helpSentDialog = (page: Page) =>
  dialog(page, 'dialog', (t) => [t.help.sentTitle, t.callOperator.sentTitle])
export const markerDialog = (page: Page) => dialog(page, 'dialog', (t) => t.marker.title)
export const shortcutsDialog = (page: Page) => dialog(page, 'dialog', (t) => t.shortcuts.title)
export const banDialog = (page: Page, name: string) =>
  dialog(page, 'alertdialog', (t) => t.person.banTitle(name))
export const closeDialog = (page: Page) => dialog(page, 'alertdialog', (t) => t.close.title)
export const previewDialog = (page: Page) => dialog(page, 'dialog', (t) => t.handout.previewTitle)

function dialog(
  page: Page,
  role: 'dialog' | 'alertdialog',
  title: (text: typeof toolsEn) => string | readonly string[],
): Locator {
  return page.getByRole(role, { name: toolsText(title) })
}

/** A button by its whole name, within a page or a part of it. */
export function toolButton(
  within: Page | Locator,
  name: (text: typeof toolsEn) => string | readonly string[],
): Locator {
  return within.getByRole('button', { name: toolsText(name) })
}

/** A person's tile; with a state, only while the person is muted, or heard. */
export function tile(page: Page, name: string, state?: 'muted' | 'heard'): Locator {
  const found = page.getByRole('article', { name, exact: true })
  const mute = page.getByText(roomText((t) => t.call.muted))
  if (state === undefined) return found
  return found.filter(state === 'muted' ? { has: mute } : { hasNot: mute })
}

/** The placeholder in the tile of a person without a visible picture. */
export function videoTexts(
  within: Locator,
  why: 'cameraOff' | 'videoStopped' | 'videoPausedByNetwork',
): Locator {
  return within.getByText(roomText((t) => t.call[why]))
}

// Notices over the pictures.

export const muteRequest = (page: Page) =>
  alert(
    page,
    toolsText((t) => t.muteRequest.title),
  )

/** Says which camera replaced an unplugged one. */
export const cameraReplaced = (page: Page) =>
  alert(
    page,
    toolsText((t) => t.device.replaced.camera(ANYTHING)),
  )

/** The calls of this person for help, over the pictures. On a small page only the first is seen. */
export const helpAlerts = (page: Page, name: string) =>
  page
    .getByRole('alert', { includeHidden: true })
    .locator('div')
    .filter({ hasText: containing(toolsText((t) => t.facts.helpRequested(name))) })

/** The sign of a raised hand on a tile. */
export const raisedHand = (within: Locator) => within.getByText(peopleText((t) => t.handUp))

/** The notice for any problem with the device. */
export function deviceProblem(page: Page, kind: 'microphone' | 'camera'): Locator {
  const title = page.getByText(
    roomText((t) => [
      ...Object.values(t.problem[kind]),
      ...(kind === 'camera' ? [t.problem.blur] : []),
    ]),
  )
  return page.getByRole('status').filter({ has: title })
}

export const streamNotice = (page: Page) =>
  page.getByRole('status').getByText(toolsText((t) => t.notices.streamReconnecting))

function alert(page: Page, title: RegExp): Locator {
  return page.getByRole('alert').filter({ has: page.getByText(title) })
}

// The recording.

const INDICATED = {
  /** Requested, and being written or about to be. */
  started: toolsText((t) => [t.recording.starting, t.recording.started]),
  written: toolsText((t) => t.recording.started),
  paused: toolsText((t) => t.recording.paused),
  anything: toolsText(({ recording }) => [
    recording.starting,
    recording.started,
    recording.paused,
    recording.failed,
    recording.notRunning,
  ]),
}

/** The recording state in the page's header. An open panel hides it only from screen readers. */
export function recordingIndicator(page: Page, says: keyof typeof INDICATED = 'anything'): Locator {
  return page.getByRole('banner', { includeHidden: true }).getByText(INDICATED[says])
}

type Alarm = keyof typeof recordingEn.alarm
type AlarmText = Partial<Record<Alarm, string>>

/** The alarm about a recording, within a part of the page or in the open panel. */
export function recordingAlarm(within: Page | Locator, why?: Alarm): Locator {
  const words = recordingText(({ alarm, alarmInPanel }) => {
    const texts: AlarmText[] = [alarm, alarmInPanel]
    return texts.flatMap((each) => (why === undefined ? Object.values(each) : (each[why] ?? [])))
  })
  return within.getByRole('alert', { includeHidden: true }).getByText(words)
}

/** Says that a recording has ended. */
export const notRecording = (page: Page) =>
  page.getByRole('banner', { includeHidden: true }).getByText(toolsText((t) => t.recording.stopped))

export const pageHead = (page: Page) => page.getByRole('banner', { includeHidden: true })

export const recordingPanel = (page: Page) =>
  page.getByRole('dialog', { name: recordingText((t) => t.title) })

const stopRecordingDialog = (page: Page) =>
  page.getByRole('alertdialog', { name: recordingText((t) => t.confirm.title) })

/** A button in the open panel of the recording. */
export function recordingButton(page: Page, which: 'start' | 'pause' | 'resume' | 'stop'): Locator {
  return recordingPanel(page).getByRole('button', { name: recordingText((t) => t[which]) })
}

/** Ends the recording in its open panel, and confirms that. */
export async function endRecording(page: Page): Promise<void> {
  await recordingButton(page, 'stop').click(SOON)
  const name = recordingText((t) => t.confirm.confirm)
  await stopRecordingDialog(page).getByRole('button', { name }).click(SOON)
}

// The panels beside the pictures.

const PANELS = {
  public: {
    tab: chatText((t) => [t.channel.public.tab, t.onlyChat.tab]),
    title: chatText((t) => [t.channel.public.title, t.onlyChat.title]),
  },
  private: chatPanel('private'),
  observer_only: chatPanel('observer_only'),
  roster: { tab: chatText((t) => t.roster.tab), title: chatText((t) => t.roster.title) },
  handouts: { tab: toolsText((t) => t.handout.tab), title: toolsText((t) => t.handout.title) },
  questions: {
    tab: peopleText((t) => t.questions.tab),
    title: peopleText((t) => t.questions.title),
  },
  facts: { tab: toolsText((t) => t.facts.title), title: toolsText((t) => t.facts.title) },
}

function chatPanel(visibility: Visibility) {
  return {
    tab: chatText((t) => t.channel[visibility].tab),
    title: chatText((t) => t.channel[visibility].title),
  }
}

export type Panel = keyof typeof PANELS
export const PANEL_NAMES = Object.keys(PANELS) as Panel[]

/** A panel, closed or open. */
export function panel(page: Page, which: Panel): Locator {
  return page.getByRole('region', { name: PANELS[which].title, includeHidden: true })
}

/** The buttons of all panels. */
export function panelButtons(page: Page): Locator {
  const list = page.getByRole('list', { name: chatText((t) => t.panels) })
  return list.getByRole('button')
}

/** Its name ends with the number of unread messages. */
export function panelButton(page: Page, which: Panel): Locator {
  const list = page.getByRole('list', { name: chatText((t) => t.panels) })
  return list.getByRole('button', { name: beginningWith(PANELS[which].tab) })
}

export async function openPanel(page: Page, which: Panel): Promise<Locator> {
  const opened = panel(page, which)
  if (!(await opened.isVisible())) {
    await openPhoneMenu(page)
    await panelButton(page, which).click()
  }
  await opened.waitFor(SOON)
  return opened
}

const phoneMenu = (page: Page) => page.getByRole('dialog', { name: toolsText((t) => t.more.label) })

/** On a phone, most buttons are in the menu. Elsewhere, and while it is open, nothing happens. */
export async function openPhoneMenu(page: Page): Promise<void> {
  const room = page.locator('[data-phone]')
  const isPhone = (await room.getAttribute('data-phone', SOON)) === 'true'
  if (!isPhone || (await phoneMenu(page).isVisible())) return
  await control(page, 'more').click()
  await phoneMenu(page).waitFor(SOON)
}

export async function closePhoneMenu(page: Page): Promise<void> {
  if (!(await phoneMenu(page).isVisible())) return
  await page.keyboard.press('Escape')
  await phoneMenu(page).waitFor({ ...SOON, state: 'detached' })
}

/** The button that closes the open panel. */
function closeButton(page: Page): Locator {
  const side = page.getByRole('complementary', { name: chatText((t) => t.panels) })
  return side.getByRole('button', { name: chatText((t) => t.close) })
}

export async function closePanel(page: Page): Promise<void> {
  if (await closeButton(page).isVisible()) await closeButton(page).click()
}

// Chats.

/** The messages of a chat, closed or open, without unsent ones, which have no time. */
export function messages(page: Page, chat: Visibility): Locator {
  return panel(page, chat)
    .getByRole('log', { includeHidden: true })
    .getByRole('listitem', { includeHidden: true })
    .filter({ has: page.getByRole('time', { includeHidden: true }) })
}

/** The text box of the open chat. */
export const composer = (page: Page, chat: Visibility) => panel(page, chat).getByRole('textbox')

export function chatButton(page: Page, chat: Visibility, which: 'send' | 'attach'): Locator {
  return panel(page, chat).getByRole('button', { name: chatText((t) => t[which]) })
}

/** The buttons of all stamps that the open chat offers. */
export function stampButtons(page: Page, chat: Visibility): Locator {
  const list = panel(page, chat).getByRole('list', { name: chatText((t) => t.stamps) })
  return list.getByRole('button')
}

/** The words of a stamp in a chat. */
export function stampWords(chat: Visibility, stamp: string): RegExp {
  return chatText((t) => {
    const words: Readonly<Record<string, string>> = t.stamp[chat]
    return words[stamp] ?? stamp
  })
}

export function stampButton(page: Page, chat: Visibility, stamp: string): Locator {
  return panel(page, chat).getByRole('button', { name: stampWords(chat, stamp) })
}

/** Writes, sends, and waits until the service has stored it. */
export async function say(page: Page, chat: Visibility, text: string): Promise<void> {
  await openPanel(page, chat)
  await composer(page, chat).fill(text)
  await composer(page, chat).press('Enter')
  const said = messages(page, chat).filter({ has: page.getByText(text, { exact: true }) })
  await said.last().waitFor(SOON)
}

// People and events.

/** The row of a person in the open list of present people. */
export function rosterRow(page: Page, name: string): Locator {
  return rosterRows(page).filter({ has: page.getByText(name, { exact: true }) })
}

export const rosterRows = (page: Page) => panel(page, 'roster').getByRole('listitem')

/** The button of the actions on a person. */
export function personActions(page: Page, name: string = ANYTHING): Locator {
  return toolButton(page, (t) => t.person.actions(name))
}

/** The menu item that asks a person to mute, or bans the person. */
export function personItem(page: Page, which: 'mute' | 'ban'): Locator {
  return menuItem(
    page,
    toolsText((t) => t.person[which]),
  )
}

type PeopleAct = Exclude<
  {
    [K in keyof typeof peopleEn]: (typeof peopleEn)[K] extends string ? K : never
  }[keyof typeof peopleEn],
  undefined
>

/** A moderator's action on a person, in the open menu. */
export const peopleItem = (page: Page, which: PeopleAct) =>
  menuItem(
    page,
    peopleText((t) => t[which]),
  )

/** A moderator's action on everybody, in the open roster. */
export const peopleButton = (page: Page, which: PeopleAct) =>
  page.getByRole('button', { name: peopleText((t) => t[which]) })

/** Uses the list of present people. */
export async function askToMute(page: Page, name: string): Promise<void> {
  await openPanel(page, 'roster')
  await personActions(page, name).click()
  await personItem(page, 'mute').click()
}

type EventText =
  | 'marker'
  | 'helpRequested'
  | 'helpAnswered'
  | 'handRaised'
  | 'handLowered'
  | 'consentGiven'
  | 'consentDeclined'

/** An entry in the list of events, closed or open. */
export function event(page: Page, what: EventText, name: string): Locator {
  const words = containing(toolsText((t) => t.facts[what](name)))
  return panel(page, 'facts')
    .getByRole('listitem', { includeHidden: true })
    .filter({ hasText: words })
}

// Handouts.

/** The handout that everybody sees. */
export const handoutStage = (page: Page) =>
  page.getByRole('region', { name: toolsText((t) => t.handout.stage) })

/** The button that shows one handout of the moderator's list, or any. */
export function showButton(page: Page, handout: string = ANYTHING): Locator {
  return toolButton(panel(page, 'handouts'), (t) => t.handout.showNamed(handout))
}

export function previewButton(page: Page, handout: string = ANYTHING): Locator {
  return toolButton(panel(page, 'handouts'), (t) => t.handout.previewNamed(handout))
}

export const hideButton = (page: Page) => toolButton(panel(page, 'handouts'), (t) => t.handout.hide)

/** Plays or pauses the shown video, for everybody. */
export const playButton = (page: Page) =>
  toolButton(handoutStage(page), (t) => [t.handout.play, t.handout.pause])

export const videoSlider = (page: Page) =>
  handoutStage(page).getByRole('slider', { name: toolsText((t) => t.handout.position) })
