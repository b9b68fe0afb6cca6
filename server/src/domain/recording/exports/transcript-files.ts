import type {
  SpeakerLabel,
  TranscriptFormat,
  TranscriptLine,
} from '@interview-room/contract/transcripts.ts'
import { linesOf } from '../transcriptions/caption-lines.ts'
import { timeOf, writeWebvtt } from '../transcriptions/webvtt.ts'
import { csvOf } from './csv.ts'
import { writeDocx } from './write-docx.ts'

/** A transcript that becomes a file. */
export interface WrittenTranscript {
  title: string
  lines: readonly TranscriptLine[]
  speakers: SpeakerLabel
}

/** The file of each format. */
export const TRANSCRIPT_FILES: Readonly<
  Record<
    TranscriptFormat,
    { mime: string; write: (transcript: WrittenTranscript) => string | Promise<Buffer> }
  >
> = {
  vtt: { mime: 'text/vtt; charset=utf-8', write: vttOf },
  srt: { mime: 'application/x-subrip; charset=utf-8', write: srtOf },
  txt: { mime: 'text/plain; charset=utf-8', write: txtOf },
  csv: { mime: 'text/csv; charset=utf-8', write: tableOf },
  docx: {
    mime: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    write: docxOf,
  },
}

function vttOf({ lines, speakers }: WrittenTranscript): string {
  const cues = lines.map((line) => ({
    startSec: line.start_sec,
    endSec: line.end_sec,
    text: line.text,
    lines: linesOf(flat(line.text)),
    ...(speakers === 'name'
      ? { speaker: line.speaker, role: line.role, participantId: line.participant_id }
      : { speaker: line.role, role: null, participantId: null }),
  }))
  return writeWebvtt(cues)
}

function srtOf({ lines, speakers }: WrittenTranscript): string {
  return lines
    .map((line, at) => {
      const times = [line.start_sec, line.end_sec].map((sec) => clockOf(sec).replace('.', ','))
      const rows = [at + 1, times.join(' --> '), ...linesOf(said(line, speakers))]
      return `${rows.join('\r\n')}\r\n`
    })
    .join('\r\n')
}

function txtOf({ lines, speakers }: WrittenTranscript): string {
  return lines.map((line) => `[${secondOf(line)}] ${said(line, speakers)}\r\n`).join('')
}

function tableOf({ lines, speakers }: WrittenTranscript): string {
  return csvOf(
    ['speaker', 'start', 'end', 'text'],
    lines.map((line) => [
      line[LABELS[speakers]],
      clockOf(line.start_sec),
      clockOf(line.end_sec),
      line.text,
    ]),
  )
}

async function docxOf({ title, lines, speakers }: WrittenTranscript): Promise<Buffer> {
  const paragraphs = lines.map((line) => {
    const label = line[LABELS[speakers]]
    const head = `[${secondOf(line)}] ${label === null ? '' : `${label}: `}`
    return { head, text: flat(line.text) }
  })
  return writeDocx({ title: flat(title), paragraphs })
}

/** The member of a line that names who speaks. By role, nobody is named. */
const LABELS = { name: 'speaker', role: 'role' } as const satisfies Record<
  SpeakerLabel,
  keyof TranscriptLine
>

function said(line: TranscriptLine, speakers: SpeakerLabel): string {
  const label = line[LABELS[speakers]]
  return label === null ? flat(line.text) : `${label}: ${flat(line.text)}`
}

/** Without breaks, which mean something in most formats, and without what XML refuses. */
const flat = (text: string) => text.replaceAll(/[\p{Cc}\s]+/gu, ' ').trim()

/** `00:12:34.500`. */
const clockOf = (sec: number) => timeOf(Math.round(sec * 1000))

/** The second in which the line begins: `00:12:34`. */
const secondOf = ({ start_sec: sec }: TranscriptLine) => clockOf(sec).slice(0, -'.500'.length)
