/** A wait that can be cut short. The waiting code then continues immediately. */
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
