import type { Role, Visibility } from '@interview-room/contract/vocabulary.ts'

/** The people of the sample interview, in the order of their entries. Seconds count from the first entry. */
export const CAST: readonly { role: Role; name: string; entersSec: number; leavesSec: number }[] = [
  { role: 'moderator', name: '森 一郎', entersSec: 0, leavesSec: 189 },
  { role: 'platform_observer', name: '運営 太郎', entersSec: 4, leavesSec: 188 },
  { role: 'panelist', name: '佐藤 花子', entersSec: 9, leavesSec: 187.5 },
  { role: 'observer', name: '田中 美咲', entersSec: 31, leavesSec: 188.5 },
]
export const CLOSED_SEC = 190

type Deed =
  | { do: 'say'; visibility: Visibility; text: string }
  | { do: 'mark'; note: string }
  | { do: 'show' | 'hide' }
  | { do: 'raise hand' | 'lower hand' }
  | { do: 'ask'; text: string }
  | { do: 'note question'; status: 'asked' | 'done' }

/** A deed, so many seconds after a moment of the file. */
export type SampleEvent = Deed & { by: Role; after: string; sec: number }

export const EVENTS: readonly SampleEvent[] = [
  {
    by: 'moderator',
    after: 'welcome',
    sec: 4,
    do: 'say',
    visibility: 'public',
    text: '聞こえにくいときは、ここに書いてください。',
  },
  {
    by: 'observer',
    after: 'kiosk',
    sec: 3,
    do: 'say',
    visibility: 'observer_only',
    text: '駅の売店、という場面は使えそうです。',
  },
  { by: 'moderator', after: 'colour', sec: 4, do: 'mark', note: '色で味を想像している' },
  { by: 'moderator', after: 'handoutShown', sec: 0, do: 'show' },
  {
    by: 'panelist',
    after: 'seen',
    sec: 2,
    do: 'say',
    visibility: 'public',
    text: 'はい、見えています。',
  },
  { by: 'observer', after: 'small', sec: 2.5, do: 'mark', note: '文字が小さい' },
  {
    by: 'platform_observer',
    after: 'price',
    sec: 2,
    do: 'say',
    visibility: 'private',
    text: '残り時間は十分あります。',
  },
  { by: 'moderator', after: 'gift', sec: 4, do: 'mark', note: '贈り物という見方' },
  {
    by: 'observer',
    after: 'gift',
    sec: 5,
    do: 'ask',
    text: 'ふたの色は気になりましたか？',
  },
  { by: 'moderator', after: 'handoutHidden', sec: 0, do: 'hide' },
  { by: 'moderator', after: 'cap', sec: 0.5, do: 'note question', status: 'asked' },
  { by: 'moderator', after: 'cap', sec: 11, do: 'note question', status: 'done' },
  { by: 'panelist', after: 'hand', sec: -1.5, do: 'raise hand' },
  { by: 'panelist', after: 'hand', sec: 3, do: 'lower hand' },
  { by: 'moderator', after: 'label', sec: 3, do: 'mark', note: 'はがしやすいラベル' },
  {
    by: 'observer',
    after: 'label',
    sec: 6,
    do: 'say',
    visibility: 'observer_only',
    text: 'ここは報告書に引用したいです。',
  },
]

/** Viewers' comments, each so many seconds after a moment of the file. */
export const COMMENTS = [
  { by: '田中 美咲', after: 'colour', sec: 2, text: '「緑が濃いと味も濃い」は見出しになりそう。' },
  { by: '森 一郎', after: 'small', sec: 0.5, text: '文字の大きさは、次の案で必ず直します。' },
] as const
export const ANSWER = { by: '森 一郎', text: '賛成です。クリップにしました。' }

export const CLIPS = [
  { title: '色で選ぶ', tags: ['色', '購買'] },
  { title: 'はがしやすいラベル', tags: ['ラベル'] },
] as const

export const HANDOUT_TITLE = 'パッケージ案 A'
export const SESSION_NAME = 'お茶のパッケージ調査（サンプル）'
