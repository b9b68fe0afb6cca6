import { Component, Fragment, type ReactNode } from 'react'

/** Errors that fall within this time count together. */
const WITHIN_MS = 10_000
const ERRORS_MAX = 3

interface RedrawnProps {
  children: ReactNode
  /** Shown once drawing has failed three times within ten seconds. Without it, the content is drawn again ten seconds later. */
  instead?: ReactNode
  /** Called when drawing is given up. */
  onGivenUp?: (() => void) | undefined
}

interface RedrawnState {
  isBroken: boolean
  /** The number of the drawing. A new one makes new elements. */
  drawing: number
}

/**
 * Draws its content again after a drawing error, with new elements and new state. Extensions and translators change a page
 * behind React's back, and what they changed is gone with the old elements. An error stays inside the nearest one of these.
 */
export class Redrawn extends Component<RedrawnProps, RedrawnState> {
  override state: RedrawnState = { isBroken: false, drawing: 0 }
  #failedMs: number[] = []
  #timer: ReturnType<typeof setTimeout> | undefined

  static getDerivedStateFromError(): Pick<RedrawnState, 'isBroken'> {
    return { isBroken: true }
  }

  override componentDidCatch(): void {
    const nowMs = performance.now()
    this.#failedMs = [...this.#failedMs, nowMs].filter((atMs) => nowMs - atMs < WITHIN_MS)
    if (this.#failedMs.length < ERRORS_MAX) return this.#draw()
    this.props.onGivenUp?.()
    if (this.props.instead === undefined) this.#timer = setTimeout(() => this.#draw(), WITHIN_MS)
  }

  override componentWillUnmount(): void {
    clearTimeout(this.#timer)
  }

  #draw(): void {
    this.setState(({ drawing }) => ({ isBroken: false, drawing: drawing + 1 }))
  }

  override render(): ReactNode {
    const { isBroken, drawing } = this.state
    if (isBroken) return this.props.instead ?? null
    return <Fragment key={drawing}>{this.props.children}</Fragment>
  }
}
