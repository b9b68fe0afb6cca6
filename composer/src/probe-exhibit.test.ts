import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findFfmpeg } from './find-ffmpeg.ts'
import { probeExhibit } from './probe-exhibit.ts'

const run = promisify(execFile)
const program = findFfmpeg(process.env) ?? 'ffmpeg'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'probes-'))
})
afterAll(() => rm(folder, { recursive: true }))

/** A picture or video of one frame. */
async function encode(source: string, output: readonly string[]): Promise<void> {
  const input = ['-f', 'lavfi', '-i', source, '-frames:v', '1']
  await run(program, ['-v', 'error', '-y', ...input, ...output])
}

/** The same under a name without an extension, as a handout has in a composition. */
async function made(name: string, ...output: string[]): Promise<string> {
  const file = path.join(folder, name)
  await encode('color=red:s=64x48:d=1', [...output, file])
  return file
}

const FRAGMENTED = '-f mp4 -pix_fmt yuv420p -movflags frag_keyframe+empty_moov'.split(' ')

/** A DASH manifest whose first bytes look like a QuickTime file. */
const manifestOf = (file: string) => `<!--free--><MPD xmlns="urn:mpeg:dash:schema:mpd:2011"
  profiles="urn:mpeg:dash:profile:isoff-on-demand:2011" type="static"
  mediaPresentationDuration="PT1S" minBufferTime="PT1S"><Period>
  <AdaptationSet mimeType="video/mp4"><Representation id="1" bandwidth="1000">
  <BaseURL>file:${file}</BaseURL></Representation></AdaptationSet></Period></MPD>`

describe('the file of a handout', () => {
  test.each([
    ['png', '-f image2 -c:v png'],
    ['jpg', '-f image2 -c:v mjpeg'],
    ['gif', '-f gif'],
    ['bmp', '-f image2 -c:v bmp'],
    ['tiff', '-f image2 -c:v tiff'],
    ['apng', '-f apng'],
    ['mp4', '-f mp4 -pix_fmt yuv420p'],
    ['mov', '-f mov -pix_fmt yuv420p'],
  ])('is read (%s)', async (name, output) => {
    const kind = ['mp4', 'mov'].includes(name) ? 'video' : 'image'
    const file = await made(name, ...output.split(' '))
    expect(await probeExhibit(program, { kind, file })).toEqual({
      width: 64,
      height: 48,
      hasSound: false,
    })
  })

  test('opens no other file, whatever it says', async () => {
    const other = await made('of-another-tenant.mp4', ...FRAGMENTED)
    const file = path.join(folder, 'manifest')
    await writeFile(file, manifestOf(other))
    expect(await probeExhibit(program, { kind: 'video', file })).toBeUndefined()
  })
})

const shaped = (size: string, shape: string) => `color=red:s=${size}:d=1,setsar=${shape}`
const sizeOf = async (kind: 'image' | 'video', file: string) => {
  const media = await probeExhibit(program, { kind, file })
  return [media?.width, media?.height]
}

describe('the size of an exhibit', () => {
  test.each([
    ['8/9', [640, 480]],
    ['32/27', [852, 480]],
    ['1/1', [720, 480]],
  ])('of a video counts the shape of its pixels: %s', async (shape, size) => {
    const file = path.join(folder, 'shaped.mp4')
    await encode(shaped('720x480', shape), [file])
    expect(await sizeOf('video', file)).toEqual(size)
  })

  test('of an image does not, as in browsers', async () => {
    const file = path.join(folder, 'shaped.png')
    await encode(shaped('160x80', '2/1'), [file])
    expect(await sizeOf('image', file)).toEqual([160, 80])
  })
})
