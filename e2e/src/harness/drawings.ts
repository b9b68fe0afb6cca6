import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Browser } from 'playwright-core'
import { wavHeader } from './video.ts'

/** A calm person, so that pictures of the pages show no real one. */
const PORTRAIT = `
  <svg xmlns="http://www.w3.org/2000/svg" width="640" height="480">
    <defs><linearGradient id="wall" x2="0" y2="1">
      <stop stop-color="#cfd8e3"/><stop offset="1" stop-color="#9fb0c3"/>
    </linearGradient></defs>
    <rect width="640" height="480" fill="url(#wall)"/>
    <rect x="440" y="40" width="140" height="180" rx="6" fill="#b9c6d6"/>
    <path d="M120 480c0-130 90-180 200-180s200 50 200 180z" fill="#3d5a80"/>
    <rect x="280" y="250" width="80" height="90" rx="36" fill="#d9a987"/>
    <ellipse cx="320" cy="200" rx="84" ry="100" fill="#e6bc9d"/>
    <path d="M230 200c-6-90 40-122 90-122s100 30 90 122c-20-60-40-72-90-72s-76 20-90 72z" fill="#2f2a2a"/>
  </svg>`

/** The handout of the interview: a package on a table. */
const HANDOUT = `
  <svg xmlns="http://www.w3.org/2000/svg" width="800" height="600">
    <rect width="800" height="600" fill="#f6f1e7"/>
    <rect y="470" width="800" height="130" fill="#e3d8c3"/>
    <path d="M270 150h260v340H270z" fill="#2f7d6b"/>
    <path d="M530 150l70-40v340l-70 40z" fill="#225c4f"/>
    <path d="M270 150l70-40h260l-70 40z" fill="#49a08c"/>
    <circle cx="400" cy="310" r="78" fill="#f2c14e"/>
    <path d="M400 250c60 20 60 100 0 130-60-30-60-110 0-130z" fill="#f6f1e7"/>
  </svg>`

/** Frame rate of the camera: enough to be seen, and little work for a machine that sends it to four pages. */
const FRAMES_PER_SEC = 5

async function draw(browser: Browser, svg: string): Promise<Buffer> {
  const page = await browser.newPage()
  await page.setContent(svg.replace('<svg ', '<svg style="position:fixed;inset:0" '))
  const { width, height } = (await page.locator('svg').boundingBox()) ?? { width: 0, height: 0 }
  const picture = await page.screenshot({ clip: { x: 0, y: 0, width, height } })
  await page.close()
  return picture
}

export async function drawHandout(browser: Browser): Promise<Buffer> {
  return draw(browser, HANDOUT)
}

/** Flags for a browser whose camera shows a person who holds still, and whose microphone hears next to nothing. */
export async function calmDevices(browser: Browser, folder: string): Promise<string[]> {
  // Chromium treats a single frame as a video that repeats.
  const portrait = path.join(folder, 'portrait.png')
  const video = path.join(folder, 'portrait.y4m')
  const quiet = path.join(folder, 'quiet.wav')
  writeFileSync(portrait, await draw(browser, PORTRAIT))
  const made = ['-vframes', '1', '-pix_fmt', 'yuv420p', video]
  execFileSync('ffmpeg', [
    '-v',
    'error',
    '-y',
    '-r',
    String(FRAMES_PER_SEC),
    '-i',
    portrait,
    ...made,
  ])
  writeFileSync(quiet, quietSecond())
  return [
    `--use-file-for-fake-video-capture=${video}`,
    `--use-file-for-fake-audio-capture=${quiet}`,
  ]
}

const SAMPLE_RATE = 48_000

/** One second of a quiet room: 16-bit mono. A microphone that sends only zeros would be reported as broken. */
function quietSecond(): Buffer {
  const samples = Buffer.alloc(SAMPLE_RATE * 2)
  for (let at = 0; at < SAMPLE_RATE; at += 1) samples.writeInt16LE((at % 64) - 32, at * 2)
  return Buffer.concat([wavHeader(samples.length, SAMPLE_RATE), samples])
}
