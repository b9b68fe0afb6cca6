/** The pages of one test in this browser. The one that began last continues. */
export interface OtherPages {
  /** Tells the other pages that this one continues. */
  announce(): void
  /** Calls back when another page continues the test. */
  listen(onAnnounced: () => void): void
}

/** Covers only this browser. The media server displaces pages in other browsers. */
export function openOtherPages(connectionTestId: string): OtherPages {
  const channel = new BroadcastChannel(`interview-room.test.${connectionTestId}`)
  return {
    announce: () => {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel is of one origin
      channel.postMessage('begun')
    },
    listen: (onAnnounced) => channel.addEventListener('message', onAnnounced),
  }
}
