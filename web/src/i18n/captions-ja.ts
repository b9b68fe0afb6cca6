import type { Words } from './ja.ts'

/** Japanese words for captions and for the list of what was said. `captions-en.ts` has the same keys. */
export const captionsJa = {
  button: '字幕',
  title: '字幕の設定',
  show: '字幕を表示する',
  size: '文字の大きさ',
  sizes: { small: '小', medium: '中', large: '大' },
  language: '字幕と文字起こしの言語',
  original: '話されている言語',
  transcript: {
    tab: '文字起こし',
    title: '文字起こし',
    lead: '話された言葉の一覧です。回答者には見えません。',
    search: '言葉を探す',
    found: (count: number) => `${count} 件`,
    empty: 'まだ発言はありません。',
    nothing: '見つかりませんでした。',
    toEnd: '最新の発言へ',
  },
}

export type CaptionsDictionary = Words<typeof captionsJa>
