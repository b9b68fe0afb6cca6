import { describe, expect, test } from 'vitest'
import { parseVtt } from './vtt.ts'

const FILE = `\u{feff}WEBVTT - of an interview

NOTE
This is --> no cue

STYLE
::cue { color: red }

1
00:00:02.500 --> 00:00:04.000 align:start
<v.moderator Sato>How do you open it?</v>

01:02.250 --> 01:05.000
<v A &amp; B>Like <i>this</i>,
I think &lt;sure&gt;</v>

1:00:00.000 --> 1:00:01.000
No voice &#x2014; &#39;here&#39;

00:00:09.000 --> 00:00:10.000

`

describe('a WebVTT file', () => {
  test('is read as lines with the name of their voice', () => {
    expect(parseVtt(FILE)).toEqual([
      { startSec: 2.5, endSec: 4, speaker: 'Sato', text: 'How do you open it?' },
      { startSec: 62.25, endSec: 65, speaker: 'A & B', text: 'Like this,\nI think <sure>' },
      { startSec: 3600, endSec: 3601, speaker: null, text: "No voice — 'here'" },
    ])
  })

  test('with the line ends of another system is the same', () => {
    expect(parseVtt(FILE.replaceAll('\n', '\r\n'))).toEqual(parseVtt(FILE))
  })

  test('without cues has no lines', () => {
    expect(parseVtt('WEBVTT\n')).toEqual([])
  })

  test('keeps voices that overlap, in the order of their start', () => {
    const file = [
      'WEBVTT',
      '00:05.000 --> 00:09.000\n<v Aki>Second',
      '00:01.000 --> 00:07.000\n<v Mori>First',
    ].join('\n\n')
    expect(parseVtt(file).map(({ text }) => text)).toEqual(['First', 'Second'])
  })
})
