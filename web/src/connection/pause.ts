/** Waits that can be cut short: whoever sleeps is woken, and goes on at once. */
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
