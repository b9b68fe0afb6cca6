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
/** Ticks of a file in a second: whole ones for each frame of any usual rate. */
const TIMESCALE = 90_000

const QUIET = ['-hide_banner', '-nostdin', '-loglevel', 'error']
const RAW_AUDIO = words(`-f f32le -ac ${CHANNELS} -ar ${AUDIO_RATE}`)
/** As the decoder gives them. */
const DECODED_AUDIO = words(`-f s16le -ac ${CHANNELS} -ar ${AUDIO_RATE}`)

// Uses only options that ffmpeg of 2018 and of today have in common.

/** Decodes VP8 in IVF from stdin to raw pictures of one size at an even rate. */
export function decodeVideo(size: Size, frameRate: number): string[] {
  const filters = `fps=${frameRate}:round=near,scale=${size.width}:${size.height}:flags=bilinear`
  const output = `-vf ${filters} -pix_fmt yuv420p -f rawvideo pipe:1`
  return [...QUIET, ...words(`-threads 1 -f ivf -i pipe:0 ${output}`)]
}

/** Decodes Opus in Ogg from stdin to raw samples of 16 bits. */
export function decodeAudio(): string[] {
  const input = words('-threads 1 -c:a libopus -f ogg -i pipe:0')
  return [...QUIET, ...input, ...DECODED_AUDIO, 'pipe:1']
}

/** Encodes raw samples from stdin to AAC in ADTS. */
export function encodeAudio({ audioKbps }: Pick<Encoding, 'audioKbps'>): string[] {
  // At these rates as good as the default, with a quarter of its work.
  const codec = words(`-c:a aac -aac_coder fast -b:a ${audioKbps}k`)
  return [...QUIET, ...RAW_AUDIO, '-i', 'pipe:0', ...codec, ...words('-f adts pipe:1')]
}

/** Copies Opus in Ogg from stdin into WebM. */
export function copyVoice(file: string): string[] {
  return [...QUIET, ...words('-f ogg -i pipe:0 -c:a copy -f webm -y'), file]
}

/** Encodes raw pictures from stdin to H.264. The format is always the same, so that such files can be joined by copying. */
export function encodeVideo(
  encoding: Encoding,
  { file, threads }: { file: string; threads: number },
): string[] {
  const { width, height, frameRate, videoKbps, keyFrameSec } = encoding
  const keyFrameEvery = Math.max(1, Math.round(keyFrameSec * frameRate))
  return [
    ...QUIET,
    ...words(`-f rawvideo -pix_fmt yuv420p -s ${width}x${height} -r ${frameRate} -i pipe:0`),
    ...words(`-c:v libx264 -preset veryfast -profile:v main -pix_fmt yuv420p -threads ${threads}`),
    // A quarter less work than the preset with -crf 23, for a picture as sharp in 5 to 10 % more bytes.
    ...words('-x264-params me=dia:subme=1:partitions=i4x4'),
    ...words(`-crf 23.4 -maxrate ${videoKbps}k -bufsize ${videoKbps * 2}k`),
    ...words(`-g ${keyFrameEvery} -bf 0 -video_track_timescale ${TIMESCALE} -f mp4 -y`),
    file,
  ]
}

/** Joins the pictures of a list with sound in ADTS by copying, into a file that plays while it loads. Each may be missing. */
export function joinMedia(
  { pictures, sound }: { pictures: string | undefined; sound: string | undefined },
  file: string,
): string[] {
  const inputs = [
    ...(pictures === undefined ? [] : [...words('-f concat -safe 0 -i'), pictures]),
    ...(sound === undefined ? [] : [...words('-f aac -i'), sound]),
  ]
  const output = words(`-c copy -video_track_timescale ${TIMESCALE} -movflags +faststart`)
  return [...QUIET, ...inputs, ...output, ...words('-f mp4 -y'), file]
}

/** One frame of a file as a PPM, whose header has the size as browsers display it: the pixels of an image are square. */
export function measurePicture(kind: 'image' | 'video', file: string): string[] {
  const width = kind === 'image' ? 'iw' : 'max(2\\,trunc(iw*sar/2)*2)'
  const output = words(`-an -frames:v 1 -vf scale=${width}:ih -c:v ppm -f image2pipe`)
  return [...QUIET, ...onlyFrom(file), ...output, 'pipe:1']
}

/** An image as one raw picture, on a light background where it is transparent. */
export function drawImage(file: string, { width, height }: Size): string[] {
  const ground = words(`-f lavfi -i color=c=white:s=${width}x${height}:d=1:r=1`)
  const scaled = `[0:v]scale=${width}:${height}:flags=bicubic,setsar=1,format=rgba[image]`
  const filter = `${scaled};[1:v][image]overlay=0:0:format=rgb,format=yuv420p[drawn]`
  const output = words('-map [drawn] -frames:v 1 -f rawvideo pipe:1')
  return [...QUIET, ...onlyFrom(file), ...ground, '-filter_complex', filter, ...output]
}

/** Plays a video from a position on, as raw pictures at an even rate. */
export function decodeExhibit(
  file: string,
  position: { atSec: number; frameRate: number },
  size: Size,
): string[] {
  return [...QUIET, ...shownFrom(file, position, size), 'pipe:1']
}

/** The picture of a video at a position, as one raw picture; none after its end. */
export function decodeExhibitPicture(
  file: string,
  position: { atSec: number; frameRate: number },
  size: Size,
): string[] {
  return [...QUIET, ...shownFrom(file, position, size), '-frames:v', '1', 'pipe:1']
}

/** The end of a video as raw pictures, of which the last one stays visible. */
export function decodeExhibitEnd(file: string, size: Size): string[] {
  return [...QUIET, ...EARLIER, '-sseof', '-1', ...onlyFrom(file), ...rawPictures(size), 'pipe:1']
}

/** The sound of a video from a position on as raw samples, with silence before it begins. */
export function decodeExhibitSound(
  file: string,
  { positionSec, lengthSec }: { positionSec: number; lengthSec: number },
): string[] {
  const length = ['-t', lengthSec.toFixed(3)]
  const output = words('-vn -af aresample=async=1:first_pts=0')
  const input = [...from(positionSec), ...length, ...onlyFrom(file)]
  return [...QUIET, ...input, ...output, ...RAW_AUDIO, 'pipe:1']
}

/** Includes the frames before a position: a picture is shown until the next one, which may come much later. */
const EARLIER = ['-noaccurate_seek']

function shownFrom(
  file: string,
  { atSec, frameRate }: { atSec: number; frameRate: number },
  size: Size,
): string[] {
  const rate = `fps=${frameRate}:start_time=0:round=near`
  return [...EARLIER, ...from(atSec), ...onlyFrom(file), ...rawPictures(size, `${rate},`)]
}

function from(sec: number): string[] {
  return ['-ss', Math.max(0, sec).toFixed(3)]
}

/** Videos and images. Other formats of ffmpeg contain nothing but names of other files. */
const FORMATS = 'mov,png_pipe,apng,jpeg_pipe,gif,bmp_pipe,tiff_pipe'

/** Reads only this file, and nothing that it names. */
function onlyFrom(file: string): string[] {
  return [...words(`-protocol_whitelist file -format_whitelist ${FORMATS} -i`), `file:${file}`]
}

function rawPictures({ width, height }: Size, before = ''): string[] {
  const filters = `${before}scale=${width}:${height}:flags=bilinear,setsar=1`
  return ['-an', '-vf', filters, ...words('-pix_fmt yuv420p -f rawvideo')]
}

/** Half of the height of most letters, as a part of the size of the font. */
const LINE_SHARE = 0.36

/** Draws the text of a file with a font of this machine. A style has the size, the colour and the place. */
export function textFilter(
  { textFile, fontFile, isShaped }: { textFile: string; fontFile: string; isShaped: boolean },
  style: string,
): string {
  const files = `textfile=${escaped(textFile)}:fontfile=${escaped(fontFile)}`
  // A build that cannot shape text refuses the option: no name is better than one in the wrong order.
  return `drawtext=${files}:expansion=none:${style}${isShaped ? ':text_shaping=1' : ''}`
}

/** Draws a text, white on dark, as one raw picture. */
export function drawText(
  { textFile, fontFile, isShaped }: { textFile: string; fontFile: string; isShaped: boolean },
  { width, height, fontPx }: Size & { fontPx: number },
): string[] {
  // All names have the same baseline, whatever the height and depth of their letters.
  const lineY = Math.round(height / 2 + LINE_SHARE * fontPx)
  const place = String.raw`x=${Math.round(fontPx / 2)}:y=max(0\,${lineY}-ascent)`
  const style = `fontsize=${fontPx}:fontcolor=white:${place}`
  return [
    ...QUIET,
    ...words(`-f lavfi -i color=c=0x181818:s=${width}x${height}:d=1:r=1`),
    '-vf',
    textFilter({ textFile, fontFile, isShaped }, style),
    ...words('-frames:v 1 -pix_fmt yuv420p -f rawvideo pipe:1'),
  ]
}

function words(text: string): string[] {
  return text.split(' ')
}

/** Some characters are special in a filter description, and in an option of it. */
function escaped(file: string): string {
  return file.replaceAll(/[\\':]/g, String.raw`\$&`).replaceAll(/[\\',;[\]]/g, String.raw`\$&`)
}
