import type { CaptionsDictionary } from './captions-ja.ts'

/** Captions and the list of what was said, in English. */
export const captionsEn: CaptionsDictionary = {
  button: 'Captions',
  title: 'Captions',
  show: 'Show captions',
  size: 'Size of the text',
  sizes: { small: 'Small', medium: 'Medium', large: 'Large' },
  language: 'Language of captions and transcript',
  original: 'As spoken',
  transcript: {
    tab: 'Transcript',
    title: 'Transcript',
    lead: 'What was said. Respondents don’t see this list.',
    search: 'Find words',
    found: (count) => `${count} found`,
    empty: 'Nobody has said anything yet.',
    nothing: 'Nothing found.',
    toEnd: 'To the latest',
  },
}
