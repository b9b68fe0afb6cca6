import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { drawHandout, drawScene, NAMES, PICTURE, type Scene } from './sample-interview/drawings.ts'
import { type Speaker, TURNS } from './sample-interview/spoken-lines.ts'

/**
 * Makes the files of the sample interview, once: `node scripts/sample-interview.ts <python>`, with a Python that has
 * pyopenjtalk-plus 0.4.1.post7. The license of its voice is named in `server/sample-interview/NOTICE.md`. Needs ffmpeg and the
 * Noto fonts.
 */

const TARGET = path.resolve(import.meta.dirname, '../server/sample-interview')
const RATE = 48_000
const FRAMES_PER_SEC = 8
/** Silence around turns and sentences, in seconds. */
const SILENCE = { turn: 0.55, sentence: 0.3, pause: 0.8, end: 1.5 }
/** The recording begins so much after the first entry, and its room is closed so much after it. */
const LEAD_SEC = 20
const SPEECH_BREAK_MAX_SEC = 1
/** Root mean square of 16-bit samples, from which a mouth is open a little, and wide. */
const OPEN_FROM = [350, 2_200] as const
const SILENT_BELOW = 250
/** Samples of the shortest sound that is measured. */
const WINDOW = RATE / 100
const SPEAKERS = ['moderator', 'panelist'] as const
/** The voice has one speaker. The moderator's is lower. */
const VOICES = {
  moderator: { halfTone: -3, speed: 1.08, pitch: 0.84 },
  panelist: { halfTone: 0.5, speed: 1.12, pitch: 1 },
} as const

/** The turns of which a clip is made. */
const CLIPS = ['colour', 'label'] as const

interface Sentence {
  by: Speaker
  ja: string
  en: string
  samples: Int16Array
  startSec: number
  endSec: number
}

const folder = mkdtempSync(path.join(tmpdir(), 'sample-interview-'))

async function make(python: string): Promise<void> {
  const sounds = speak(python)
  const { sentences, moments, pause, durationSec } = layOut(sounds)
  const tracks = Object.fromEntries(
    SPEAKERS.map((who) => [who, trackOf(sentences, who, durationSec)]),
  ) as Record<Speaker, Int16Array>
  const handout = { fromSec: momentOf(moments, 'show') + 3.2, toSec: pause.atSec - 0.3 }
  await encode(tracks, { durationSec, handout })
  for (const [index, name] of CLIPS.entries())
    cutClip(`clip-${index + 1}.mp4`, rangeOf(sentences, moments, name))
  writeFileSync(path.join(TARGET, 'handout.png'), await drawHandout())
  writeFileSync(path.join(TARGET, 'ja.vtt'), transcript(sentences, 'ja'))
  writeFileSync(path.join(TARGET, 'en.vtt'), transcript(sentences, 'en'))
  const facts = {
    durationSec,
    // Seconds from the first entry.
    segments: [
      { fromSec: LEAD_SEC, toSec: LEAD_SEC + pause.atSec },
      {
        fromSec: LEAD_SEC + pause.atSec + pause.lengthSec,
        toSec: rounded(LEAD_SEC + pause.lengthSec + durationSec),
      },
    ],
    // Seconds of the file.
    moments: { ...moments, handoutShown: handout.fromSec, handoutHidden: handout.toSec },
    clips: CLIPS.map((name) => rangeOf(sentences, moments, name)),
    activities: Object.fromEntries(
      SPEAKERS.map((who) => [
        who,
        activityOf(
          tracks[who],
          sentences.filter(({ by }) => by === who),
        ),
      ]),
    ),
  }
  writeFileSync(path.join(TARGET, 'interview.json'), `${JSON.stringify(facts, null, 2)}\n`)
}

/** The samples of each sentence, without the silence around it. */
function speak(python: string): Int16Array[] {
  const orders = TURNS.flatMap(({ by, sentences }) =>
    sentences.map(([text]) => ({ text, by, ...VOICES[by] })),
  ).map((order, index) => ({ ...order, file: path.join(folder, `${index}.wav`) }))
  execFileSync(python, [path.join(import.meta.dirname, 'sample-interview/voices.py')], {
    input: JSON.stringify(orders),
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  return orders.map(({ file, by }) => {
    const { pitch } = VOICES[by]
    const filter = `asetrate=${RATE * pitch},aresample=${RATE},atempo=${1 / pitch},alimiter=limit=0.9`
    const args = ['-v', 'error', '-i', file, '-af', filter, '-f', 's16le', '-ac', '1', '-']
    return trimmed(samplesOf(execFileSync('ffmpeg', args, { maxBuffer: 2 ** 28 })))
  })
}

function samplesOf(bytes: Buffer): Int16Array {
  return new Int16Array(new Uint8Array(bytes).buffer)
}

function trimmed(samples: Int16Array): Int16Array {
  const windows = Array.from({ length: Math.floor(samples.length / WINDOW) }, (_, at) =>
    loudness(samples, at * WINDOW, (at + 1) * WINDOW),
  )
  const first = windows.findIndex((each) => each > SILENT_BELOW)
  const last = windows.findLastIndex((each) => each > SILENT_BELOW)
  return samples.slice(Math.max(0, first - 4) * WINDOW, (last + 6) * WINDOW)
}

function loudness(samples: Int16Array, from: number, to: number): number {
  let sum = 0
  for (let at = from; at < to; at += 1) sum += (samples[at] ?? 0) ** 2
  return Math.sqrt(sum / Math.max(1, to - from))
}

function layOut(sounds: readonly Int16Array[]) {
  const sentences: Sentence[] = []
  const moments: Record<string, number> = {}
  const pause = { atSec: 0, lengthSec: 0 }
  let sec = 0
  for (const { by, sentences: lines, afterSec = SILENCE.turn, pauseSec, name } of TURNS) {
    if (pauseSec !== undefined) {
      sec = rounded(sec + SILENCE.pause)
      Object.assign(pause, { atSec: sec, lengthSec: pauseSec })
    }
    sec += afterSec
    if (name !== undefined) moments[name] = rounded(sec)
    for (const [index, [ja, en]] of lines.entries()) {
      if (index > 0) sec += SILENCE.sentence
      const samples = sounds[sentences.length] ?? new Int16Array()
      const startSec = rounded(sec)
      sec = startSec + samples.length / RATE
      sentences.push({ by, ja, en, samples, startSec, endSec: rounded(sec) })
    }
  }
  return { sentences, moments, pause, durationSec: rounded(Math.ceil(sec + SILENCE.end)) }
}

const rounded = (sec: number) => Math.round(sec * 1000) / 1000

function momentOf(moments: Readonly<Record<string, number>>, name: string): number {
  const sec = moments[name]
  if (sec === undefined) throw new RangeError(`no turn is named ${name}`)
  return sec
}

function trackOf(sentences: readonly Sentence[], who: Speaker, durationSec: number): Int16Array {
  const track = new Int16Array(durationSec * RATE)
  for (const { by, samples, startSec } of sentences) {
    if (by === who) track.set(samples, Math.round(startSec * RATE))
  }
  return track
}

/** From the first to the last word of a turn. */
function rangeOf(
  sentences: readonly Sentence[],
  moments: Readonly<Record<string, number>>,
  name: string,
): { startSec: number; endSec: number } {
  const startSec = momentOf(moments, name)
  const first = sentences.findIndex((each) => each.startSec === startSec)
  const { sentences: lines } = TURNS.find((turn) => turn.name === name) ?? { sentences: [] }
  const last = sentences[first + lines.length - 1]
  if (last === undefined) throw new RangeError(`${name} has no words`)
  return { startSec, endSec: last.endSec }
}

async function encode(
  tracks: Record<Speaker, Int16Array>,
  { durationSec, handout }: { durationSec: number; handout: { fromSec: number; toSec: number } },
): Promise<void> {
  const sound = path.join(folder, 'sound.raw')
  const mixed = tracks.moderator.map((sample, at) => sample + (tracks.panelist[at] ?? 0))
  writeFileSync(sound, Buffer.from(mixed.buffer))
  const ffmpeg = startFfmpeg(sound)
  const drawn = new Map<string, Buffer>()
  for (let frame = 0; frame < durationSec * FRAMES_PER_SEC; frame += 1) {
    const scene = sceneAt(tracks, frame, handout)
    const key = JSON.stringify(scene)
    const picture = drawn.get(key) ?? (await drawScene(scene))
    drawn.set(key, picture)
    if (!ffmpeg.stdin.write(picture)) await once(ffmpeg.stdin, 'drain')
  }
  ffmpeg.stdin.end()
  const [code] = await once(ffmpeg, 'exit')
  if (code !== 0) throw new Error('the video was not encoded')
}

function startFfmpeg(sound: string) {
  const size = `${PICTURE.width}x${PICTURE.height}`
  return spawn(
    'ffmpeg',
    [
      '-v',
      'error',
      '-y',
      '-f',
      'rawvideo',
      '-pix_fmt',
      'rgb24',
      '-s',
      size,
      '-r',
      String(FRAMES_PER_SEC),
      '-i',
      '-',
      '-f',
      's16le',
      '-ar',
      String(RATE),
      '-ac',
      '1',
      '-i',
      sound,
      '-c:v',
      'libx264',
      '-preset',
      'veryslow',
      '-crf',
      '26',
      '-tune',
      'animation',
      '-g',
      String(2 * FRAMES_PER_SEC),
      '-pix_fmt',
      'yuv420p',
      '-c:a',
      'aac',
      '-b:a',
      '56k',
      '-movflags',
      '+faststart',
      path.join(TARGET, 'interview.mp4'),
    ],
    { stdio: ['pipe', 'inherit', 'inherit'] },
  )
}

function sceneAt(
  tracks: Record<Speaker, Int16Array>,
  frame: number,
  handout: { fromSec: number; toSec: number },
): Scene {
  const sec = frame / FRAMES_PER_SEC
  const mouthOf = (who: Speaker) => {
    const from = Math.round(sec * RATE)
    const loud = loudness(tracks[who], from, from + RATE / FRAMES_PER_SEC)
    return OPEN_FROM.filter((limit) => loud > limit).length
  }
  const blinks = (every: number) => frame % every === 0
  return {
    mouths: { moderator: mouthOf('moderator'), panelist: mouthOf('panelist') },
    blinks: { moderator: blinks(31), panelist: blinks(27) },
    hasHandout: sec >= handout.fromSec && sec < handout.toSec,
  }
}

function cutClip(name: string, { startSec, endSec }: { startSec: number; endSec: number }): void {
  execFileSync('ffmpeg', [
    '-v',
    'error',
    '-y',
    '-i',
    path.join(TARGET, 'interview.mp4'),
    '-ss',
    String(startSec),
    '-to',
    String(endSec),
    '-c:v',
    'libx264',
    '-preset',
    'veryslow',
    '-crf',
    '26',
    '-pix_fmt',
    'yuv420p',
    '-c:a',
    'aac',
    '-b:a',
    '56k',
    '-movflags',
    '+faststart',
    path.join(TARGET, name),
  ])
}

/** A cue for each sentence. Players break its lines. */
function transcript(sentences: readonly Sentence[], language: 'ja' | 'en'): string {
  const cues = sentences.map((sentence) => {
    const { by, startSec, endSec } = sentence
    return `${clockOf(startSec)} --> ${clockOf(endSec)}\n<v.${by} ${NAMES[by]}>${sentence[language]}</v>\n`
  })
  return ['WEBVTT\n', ...cues].join('\n')
}

const clockOf = (sec: number) => new Date(Math.round(sec * 1000)).toISOString().slice(11, 23)

/** One person's activity, in the form in which the composer measures it. */
function activityOf(track: Int16Array, sentences: readonly Sentence[]) {
  const speech: { fromMs: number; toMs: number }[] = []
  for (const { startSec, endSec } of sentences) {
    const [fromMs, toMs] = [startSec * 1000, endSec * 1000]
    const last = speech.at(-1)
    if (last !== undefined && fromMs - last.toMs < SPEECH_BREAK_MAX_SEC * 1000) last.toMs = toMs
    else speech.push({ fromMs, toMs })
  }
  const levels = Array.from({ length: Math.ceil(track.length / RATE) }, (_, sec) => {
    const loud = Array.from({ length: 50 }, (_window, at) =>
      loudness(track, sec * RATE + at * 2 * WINDOW, sec * RATE + (at + 1) * 2 * WINDOW),
    )
    return Math.max(0, Math.round(127 + 20 * Math.log10(Math.max(...loud, 1) / 32_768)))
  })
  return { speech, levels: levels.map((level) => (level <= 127 - 90 ? 0 : level)) }
}

mkdirSync(TARGET, { recursive: true })
try {
  await make(process.argv[2] ?? 'python3')
} finally {
  rmSync(folder, { recursive: true })
}
