import type { Size } from './layouts.ts'
import { AUDIO_RATE } from './opus.ts'

/** How the result is encoded. */
export interface Encoding extends Size {
  frameRate: number
  videoKbps: number
  audioKbps: number
  keyFrameSec: number
}

export const CHANNELS = 2
// Finer than the frame rate, so that several frames that fall on one stay in order.
export const TICKS_PER_FRAME = 64

const QUIET = ['-hide_banner', '-nostdin', '-loglevel', 'error']
const RAW_AUDIO = words(`-f f32le -ac ${CHANNELS} -ar ${AUDIO_RATE}`)

// Only what ffmpeg of 2018 and of today have in common.

/** Decodes VP8 in IVF from stdin to raw pictures of one size at an even rate. */
export function decodeVideo(size: Size, frameRate: number): string[] {
  const filters = `fps=${frameRate}:round=near,scale=${size.width}:${size.height}:flags=bilinear`
  const output = `-vf ${filters} -pix_fmt yuv420p -f rawvideo pipe:1`
  return [...QUIET, ...words(`-threads 1 -f ivf -i pipe:0 ${output}`)]
}

/** Decodes Opus in Ogg from stdin to raw samples. */
export function decodeAudio(): string[] {
  const input = words('-threads 1 -c:a libopus -f ogg -i pipe:0')
  return [...QUIET, ...input, ...RAW_AUDIO, 'pipe:1']
}

/** Encodes raw samples from stdin to AAC. */
export function encodeAudio({ audioKbps }: Encoding, file: string): string[] {
  const output = words(`-c:a aac -b:a ${audioKbps}k -f mp4 -movflags +faststart -y`)
  return [...QUIET, ...RAW_AUDIO, '-i', 'pipe:0', ...output, file]
}

/**
 * Encodes raw pictures from stdin to H.264, with the sound of a file if there is one. The form is
 * always the same, so that such files can be joined without encoding again.
 */
export function encodeVideo(
  encoding: Encoding,
  { audio, file, threads }: { audio: string | undefined; file: string; threads: number },
): string[] {
  const { width, height, frameRate, videoKbps, keyFrameSec } = encoding
  const keyFrameEvery = Math.max(1, Math.round(keyFrameSec * frameRate))
  return [
    ...QUIET,
    ...words(`-f rawvideo -pix_fmt yuv420p -s ${width}x${height} -r ${frameRate} -i pipe:0`),
    ...(audio === undefined ? [] : ['-i', audio, ...words('-map 0:v -map 1:a -c:a copy')]),
    ...words(`-c:v libx264 -preset veryfast -profile:v main -pix_fmt yuv420p -threads ${threads}`),
    ...words(`-crf 23 -maxrate ${videoKbps}k -bufsize ${videoKbps * 2}k`),
    ...words(`-g ${keyFrameEvery} -bf 0 -video_track_timescale 90000`),
    ...words('-movflags +faststart -f mp4 -y'),
    file,
  ]
}

/** Draws a text, white on dark, as one raw picture. */
export function drawText(
  { textFile, fontFile }: { textFile: string; fontFile: string },
  { width, height, fontPx }: Size & { fontPx: number },
): string[] {
  const place = `x=${Math.round(fontPx / 2)}:y=(h-text_h)/2`
  const style = `fontsize=${fontPx}:fontcolor=white:expansion=none`
  const files = `textfile=${escaped(textFile)}:fontfile=${escaped(fontFile)}`
  return [
    ...QUIET,
    ...words(`-f lavfi -i color=c=0x181818:s=${width}x${height}:d=1:r=1`),
    '-vf',
    `drawtext=${files}:${style}:${place}`,
    ...words('-frames:v 1 -pix_fmt yuv420p -f rawvideo pipe:1'),
  ]
}

function words(text: string): string[] {
  return text.split(' ')
}

/** Inside a filter description, and inside an option of it, some characters mean something. */
function escaped(file: string): string {
  return file.replaceAll(/[\\':]/g, String.raw`\$&`).replaceAll(/[\\',;[\]]/g, String.raw`\$&`)
}
