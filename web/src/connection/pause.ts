/** Waits that can be cut short: the waiting code is woken, and continues immediately. */
export class Pause {
  #end = () => {}

  async wait(delayMs: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, delayMs)
      this.#end = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    this.#end = () => {}
  }

  end(): void {
    this.#end()
  }
}
