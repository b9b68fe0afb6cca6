/**
 * What we deliver: H.264 and AAC in an MP4 that begins to play while it loads. Nearly twice the
 * usual care for the picture: it was encoded before, and loses with every time.
 */
export const ENCODING_ARGS: readonly string[] = [
  ...'-c:v libx264 -preset veryfast -crf 20 -pix_fmt yuv420p'.split(' '),
  ...'-c:a aac -b:a 128k'.split(' '),
]

/** The output's container; its path follows. */
export const MP4_ARGS: readonly string[] = '-map_metadata -1 -movflags +faststart -f mp4'.split(' ')
