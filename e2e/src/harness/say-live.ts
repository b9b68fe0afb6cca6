// A local engine of live text: says a new word for every half second of sound, with the moment at which it printed it, and translates whole utterances.
const RATE = 16_000
const EVERY = RATE / 2
/** Words of an utterance. */
const WORDS = 4
const TRANSLATION = { translation: 'four words' }

let heard = 0
let said = 0
let words: string[] = []
let start = 0

process.stdin.on('data', (chunk: Buffer) => {
  heard += chunk.length / 2
  if (heard - said < EVERY) return
  if (words.length === 0) start = said / RATE
  said = heard
  words.push(`言葉${Math.round(heard / EVERY)}`)
  const isFinal = words.length === WORDS
  const text = `${words.join('、')} @${Date.now()}`
  const line = {
    type: isFinal ? 'final' : 'partial',
    text,
    start,
    end: heard / RATE,
    ...(isFinal && TRANSLATION),
  }
  process.stdout.write(`${JSON.stringify(line)}\n`)
  if (isFinal) words = []
})
