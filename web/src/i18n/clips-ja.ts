import type { Words } from './ja.ts'

/** Every word about clips and reels, in Japanese. */
export const clipsJa = {
  clips: {
    list: 'クリップ',
    lead: '文字起こしの行を選ぶか、I と O のキーで開始と終了を決めると、クリップを作れます。',
    none: 'クリップはまだありません。',
    loading: '読み込んでいます…',
    stale: '最新の状態を読み込めません。自動で再試行しています。',
    form: '新しいクリップ',
    startSec: '開始',
    endSec: '終了',
    earlier: (end: string) => `${end}を 0.1 秒早く`,
    later: (end: string) => `${end}を 0.1 秒遅く`,
    here: '再生位置に合わせる',
    length: (sec: string) => `${sec} 秒`,
    playAll: '範囲を再生',
    playLast: '最後の 2 秒を再生',
    title: 'タイトル（任意）',
    tags: 'タグ（任意、読点で区切る）',
    make: 'クリップを作る',
    play: '再生',
    status: { pending: '作成しています…', available: '作成できました', failed: '失敗' },
    percent: (percent: number) => `作成しています… ${percent} %`,
    removeTitle: 'このクリップを削除しますか？',
    removeBody: (name: string) => `「${name}」を削除します。もとの録画は残ります。`,
  },
  reels: {
    list: 'リール',
    start: 'リールを作る',
    form: '新しいリール',
    choose: 'つなげるクリップ（上から順に）',
    earlier: (name: string) => `「${name}」を前へ`,
    later: (name: string) => `「${name}」を後ろへ`,
    card: '冒頭に 3 秒表示する文字（任意）',
    captions: {
      burnt: '映像に焼き込む',
      track: 'プレーヤーで切り替える',
      none: 'なし',
    },
    make: 'リールを作る',
    unnamed: 'リール',
    count: (clips: number) => `クリップ ${clips} 本`,
    removeTitle: 'このリールを削除しますか？',
    removeBody: (name: string) => `「${name}」を削除します。クリップは残ります。`,
  },
}

export type ClipDictionary = Words<typeof clipsJa>
