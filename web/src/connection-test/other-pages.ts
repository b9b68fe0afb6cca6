/** The pages of one test in this browser: the one that began last continues. */
export interface OtherPages {
  /** This page continues now. */
  announce(): void
  /** Calls back when another page continues the test. */
  listen(onAnnounced: () => void): void
}

/** Pages in other browsers are displaced by the media server only. */
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
