/** One media section of a client's offer, as far as publishing is concerned. */
export interface OfferedSection {
  mid: string
  kind: 'audio' | 'video'
  isSending: boolean
  /** Id of the client's media track: the second token of a=msid. Empty if missing. */
  trackId: string
}

/** The audio and video sections of an offer. The peer connection does not expose msid early enough. */
export function parseOfferedSections(sdp: string): OfferedSection[] {
  return sdp
    .split(/^m=/m)
    .slice(1)
    .flatMap((text) => {
      const kind = text.slice(0, text.indexOf(' '))
      if (kind !== 'audio' && kind !== 'video') return []

      const port = text.split(' ', 2)[1]
      return [
        {
          mid: attribute(text, 'mid') ?? '',
          kind,
          isSending: port !== '0' && !/^a=(recvonly|inactive)\r?$/m.test(text),
          trackId: attribute(text, 'msid')?.split(' ')[1] ?? '',
        },
      ]
    })
}

function attribute(section: string, name: string): string | undefined {
  return new RegExp(`^a=${name}:(.*?)\\r?$`, 'm').exec(section)?.[1]
}
