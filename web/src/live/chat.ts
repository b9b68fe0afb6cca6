import type { ErrorCode } from '@interview-room/contract/errors.ts'
import { ATTACHMENT_MAX_BYTES } from '@interview-room/contract/limits.ts'
import type { SendMessage } from '@interview-room/contract/live-chat.ts'
import type { Visibility } from '@interview-room/contract/vocabulary.ts'
import { backoffMs } from './backoff.ts'
import type { LiveRequest } from './live-request.ts'
import { newId } from './new-id.ts'
import type { LiveStore, OutgoingChatMessage, SendProblem } from './store.ts'
import { mimeOf, type Upload } from './upload.ts'

const PAGE_LIMIT = 50

interface ChatTools {
  store: LiveStore
  request: LiveRequest
  upload: Upload
}

/** Sends messages, and loads the history. */
export class Chat {
  readonly #tools: ChatTools
  /** Files that were uploaded already. A repeated message names the same attachment. */
  readonly #attachmentIds = new Map<string, string>()
  /** Messages are sent one after the other, so that they arrive in the order of writing. */
  #queue: Promise<void> = Promise.resolve()
  #cursor: string | null = null
  #load = 0
  /** Consecutive failures to load a page. */
  #failures = 0
  /** Consecutive failures to send a message. */
  #sendFailures = 0
  #resend: ReturnType<typeof setTimeout> | undefined
  readonly #closing = new AbortController()

  constructor(tools: ChatTools) {
    this.#tools = tools
  }

  sendText(visibility: Visibility, text: string): void {
    this.#begin({ visibility, contentType: 'text', text, file: null })
  }

  sendStamp(visibility: Visibility, identifier: string): void {
    this.#begin({ visibility, contentType: 'stamp', text: identifier, file: null })
  }

  sendFile(visibility: Visibility, file: File): void {
    this.#begin({ visibility, contentType: 'file', text: null, file })
  }

  /** Sends the message again under the same id, so that it cannot appear twice. */
  retry(outgoing: OutgoingChatMessage): void {
    this.#dispatch({ ...outgoing, state: { status: 'sending' } })
  }

  discard(outgoingId: string): void {
    this.#attachmentIds.delete(outgoingId)
    this.#tools.store.dropOutgoing(outgoingId)
  }

  /**
   * Sends the messages that the previous visit could not send. The ones that their writer must decide about stay
   * visible.
   */
  takeOver(unsent: readonly OutgoingChatMessage[]): void {
    for (const each of unsent) {
      if (each.state.status === 'sending' || isOffline(each)) this.retry(each)
      else this.#tools.store.putOutgoing(each)
    }
  }

  /** Called when the connection is back. Retries the messages that failed without it. */
  tryAgain(): void {
    const { outgoing, history } = this.#tools.store.getState()
    for (const each of outgoing) if (isOffline(each)) this.retry(each)
    if (history === 'failed') void this.loadOlder()
  }

  /** Ends the visit: stops uploads, retries and loading. */
  close(): void {
    this.#closing.abort()
    clearTimeout(this.#resend)
  }

  /** Loads the newest page, as after a snapshot. */
  async loadLatest(): Promise<void> {
    this.#cursor = null
    await this.#loadPage()
  }

  /** Loads the page before the oldest message. */
  async loadOlder(): Promise<void> {
    const { history } = this.#tools.store.getState()
    if (history === 'more' || history === 'failed') await this.#loadPage()
  }

  /** Signed URLs of files expire before the page closes, so the messages with files are read again. */
  async renewAddresses(): Promise<void> {
    const { messages } = this.#tools.store.getState()
    const oldest = messages.find(({ attachment }) => attachment !== null)
    if (oldest !== undefined) await this.#renewBackTo(oldest.id, null)
  }

  async #renewBackTo(oldestId: string, cursor: string | null): Promise<void> {
    const { store, request } = this.#tools
    const answer = await request<'listMessagesInRoom'>('GET', pagePath(cursor))
    if (!answer.ok) return
    const { items, next_cursor: older } = answer.data
    store.renew(items)
    const isDone = older === null || items.some(({ id }) => id === oldestId)
    if (!isDone) await this.#renewBackTo(oldestId, older)
  }

  async #loadPage(): Promise<void> {
    const { store, request } = this.#tools
    const load = ++this.#load
    const { era } = store
    store.setHistory('loading')
    const answer = await request<'listMessagesInRoom'>('GET', pagePath(this.#cursor))
    if (load !== this.#load) return
    if (!answer.ok) return this.#failPage(answer.code, load)
    this.#failures = 0
    // A purge happened meanwhile, and this page may still contain purged messages.
    if (era !== store.era) return this.#loadPage()
    this.#cursor = answer.data.next_cursor
    store.addHistory(answer.data.items, { hasMore: answer.data.has_more })
  }

  /** Retries with growing pauses, unless another load was faster or the request was refused. */
  #failPage(code: ErrorCode | 'OFFLINE', load: number): void {
    this.#tools.store.setHistory('failed')
    if (problemOf(code) !== 'offline') return
    this.#failures += 1
    const pauseMs = backoffMs(this.#failures, Math.random())
    setTimeout(() => {
      if (load === this.#load && !this.#closing.signal.aborted) void this.loadOlder()
    }, pauseMs)
  }

  #begin(draft: Pick<OutgoingChatMessage, 'visibility' | 'contentType' | 'text' | 'file'>): void {
    const isTooLarge = (draft.file?.size ?? 0) > ATTACHMENT_MAX_BYTES
    const outgoing: OutgoingChatMessage = {
      ...draft,
      id: newId(),
      progress: 0,
      state: isTooLarge ? { status: 'failed', problem: 'too-large' } : { status: 'sending' },
    }
    if (isTooLarge) this.#tools.store.putOutgoing(outgoing)
    else this.#dispatch(outgoing)
  }

  #dispatch(outgoing: OutgoingChatMessage): void {
    this.#tools.store.putOutgoing(outgoing)
    void this.#deliver(outgoing)
  }

  async #deliver(outgoing: OutgoingChatMessage): Promise<void> {
    const uploaded = outgoing.file === null ? undefined : await this.#putUp(outgoing, outgoing.file)
    if (uploaded?.ok === false) return this.#fail(outgoing, uploaded.problem)
    const turn = this.#queue.then(() => this.#post(outgoing, uploaded?.attachmentId))
    this.#queue = turn
    await turn
  }

  async #post(outgoing: OutgoingChatMessage, attachmentId: string | undefined): Promise<void> {
    const { store, request } = this.#tools
    const { id, visibility, contentType, text } = outgoing
    const { era } = store
    const message: SendMessage = {
      id,
      visibility,
      content_type: contentType,
      ...(text === null ? {} : { text }),
      ...(attachmentId === undefined ? {} : { attachment_id: attachmentId }),
    }
    const answer = await request<'sendMessage'>('POST', '/messages', message)
    if (!answer.ok) {
      const problem = problemOf(answer.code)
      this.#fail(outgoing, problem)
      if (problem === 'offline') this.#resendLater()
      return
    }
    this.#sendFailures = 0
    this.#attachmentIds.delete(id)
    store.confirm(answer.data, era)
  }

  /**
   * Retries on a timer. If the stream was not cut, no reconnect announces that the service accepts messages again.
   */
  #resendLater(): void {
    if (this.#resend !== undefined || this.#closing.signal.aborted) return
    this.#resend = setTimeout(
      () => {
        this.#resend = undefined
        const { outgoing, stream } = this.#tools.store.getState()
        if (stream !== 'live') return
        for (const each of outgoing) {
          const isUp = each.file === null || this.#attachmentIds.has(each.id)
          if (isUp && isOffline(each)) this.retry(each)
        }
      },
      backoffMs(this.#sendFailures, Math.random()),
    )
    this.#sendFailures += 1
  }

  async #putUp(
    outgoing: OutgoingChatMessage,
    file: File,
  ): Promise<{ ok: true; attachmentId: string } | { ok: false; problem: SendProblem }> {
    const { store, request, upload } = this.#tools
    const known = this.#attachmentIds.get(outgoing.id)
    if (known !== undefined) return { ok: true, attachmentId: known }

    const answer = await request<'createAttachment'>('POST', '/attachments', {
      name: file.name,
      mime: mimeOf(file),
      size: file.size,
      visibility: outgoing.visibility,
    })
    if (!answer.ok) return { ok: false, problem: problemOf(answer.code) }
    const end = await upload(answer.data.upload.url, file, {
      stopped: this.#closing.signal,
      onProgress: (progress) => {
        const isThere = store.getState().outgoing.some(({ id }) => id === outgoing.id)
        if (isThere) store.putOutgoing({ ...outgoing, progress })
      },
    })
    if (end !== 'done') return { ok: false, problem: end }
    this.#attachmentIds.set(outgoing.id, answer.data.id)
    return { ok: true, attachmentId: answer.data.id }
  }

  #fail(outgoing: OutgoingChatMessage, problem: SendProblem): void {
    const { store } = this.#tools
    // The stream may have delivered the message although the answer was lost.
    const isThere = store.getState().outgoing.some(({ id }) => id === outgoing.id)
    if (isThere) store.putOutgoing({ ...outgoing, state: { status: 'failed', problem } })
  }
}

function isOffline({ state }: OutgoingChatMessage): boolean {
  return state.status === 'failed' && state.problem === 'offline'
}

function pagePath(cursor: string | null) {
  return `/messages?limit=${PAGE_LIMIT}${cursor === null ? '' : `&cursor=${cursor}`}` as const
}

function problemOf(code: ErrorCode | 'OFFLINE'): SendProblem {
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- what else is refused cannot be helped by the writer
  switch (code) {
    case 'OFFLINE':
    case 'INTERNAL_ERROR':
    case 'SERVICE_UNAVAILABLE':
      return 'offline'
    case 'RATE_LIMIT_EXCEEDED':
      return 'too-fast'
    case 'FILE_TOO_LARGE':
      return 'too-large'
    case 'UNSUPPORTED_FILE_TYPE':
    case 'UNSUPPORTED_MEDIA_TYPE':
      return 'file-type'
    default:
      return 'refused'
  }
}
