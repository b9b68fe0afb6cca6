import { describe, expect, test } from 'vitest'
import {
  decodeAudio,
  decodeVideo,
  drawText,
  encodeAudio,
  encodeVideo,
  joinMedia,
} from './ffmpeg-arguments.ts'

const ENCODING = {
  width: 640,
  height: 480,
  frameRate: 15,
  videoKbps: 1000,
  audioKbps: 128,
  keyFrameSec: 4,
}

describe('the arguments of ffmpeg', () => {
  test('for the picture set size, rate and codec', () => {
    const args = encodeVideo(ENCODING, { file: '/tmp/out.mp4', threads: 1 })
    const text = args.join(' ')
    expect(text).toContain('-s 640x480 -r 15 -i pipe:0')
    expect(text).toContain('-c:v libx264')
    expect(text).toContain('-pix_fmt yuv420p')
    expect(text).toContain('-g 60')
    expect(args.at(-1)).toBe('/tmp/out.mp4')
  })

  test('for the result copy what there is, with the index in front', () => {
    const args = joinMedia({ pictures: '/tmp/a b.txt', sound: '/tmp/sound.aac' }, '/tmp/out.mp4')
    expect(args).toContain('/tmp/a b.txt')
    expect(args.join(' ')).toContain('-f aac -i /tmp/sound.aac -c copy')
    expect(args).toContain('+faststart')
    const soundless = joinMedia({ pictures: 'a.txt', sound: undefined }, 'out.mp4')
    expect(soundless).not.toContain('aac')
  })

  test('for the result choose the cheaper search of motion and of quantizers', () => {
    const video = encodeVideo(ENCODING, { file: 'out.mp4', threads: 1 })
    expect(video.join(' ')).toContain('-preset veryfast')
    expect(video.join(' ')).toContain('-x264-params me=dia:subme=1:partitions=i4x4 -crf 23.4')
    expect(encodeAudio(ENCODING).join(' ')).toContain('-c:a aac -aac_coder fast -b:a 128k')
  })

  test('for a person’s sound take the samples as the decoder gives them', () => {
    expect(decodeAudio().join(' ')).toContain('-f s16le -ac 2 -ar 48000 pipe:1')
  })

  test('for a video keep a constant rate', () => {
    const args = decodeVideo({ width: 320, height: 240 }, 15)
    expect(args).toContain('fps=15:round=near,scale=320:240:flags=bilinear')
  })

  test('for a name read it from a file, so that nothing in it is parsed as a filter', () => {
    const args = drawText(
      { textFile: "/tmp/it's:a,b/label.txt", fontFile: '/fonts/x.ttf', isShaped: false },
      { width: 320, height: 24, fontPx: 15 },
    )
    const filter = args[args.indexOf('-vf') + 1] ?? ''
    expect(filter).toContain('expansion=none')
    expect(filter).toContain(String.raw`textfile=/tmp/it\\\'s\\:a\,b/label.txt`)
  })
})
