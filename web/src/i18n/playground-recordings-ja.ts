import type { Words } from './ja.ts'

/** Recordings in the playground, in Japanese. `playground-recordings-en.ts` has the same keys. */
export const playgroundRecordingsJa = {
  title: '録画',
  empty: 'まだ録画がありません。録画されるルームに入室すると、ここに表示されます。',
  startedAt: (time: string) => `${time} 開始`,
  length: (time: string) => `長さ ${time}`,
  status: {
    started: '録画中',
    paused: '一時停止中',
    stopped: 'ファイルの準備中',
    uploaded: 'ファイルの確認中',
    available: '再生できます',
    expired: '保存期間が過ぎました',
    failed: '失敗',
  },
  failedBecause: (reason: string) => `録画できませんでした：${reason}`,
  reasons: {
    start_timeout: '90 秒以内に始まりませんでした',
    provider_failed: '録画プロバイダーが失敗しました',
    provider_aborted: '録画プロバイダーが中断しました',
    storage_missing: 'ファイルが保存先に見つかりません',
    upload_failed: 'ファイルを保存できませんでした',
    internal: 'サービスの内部で失敗しました',
    unknown: '理由は記録に残っていません',
  },
  watch: '見てレビューする',
  downloadZip: 'ZIP をダウンロード',
  refused: '処理できませんでした。もう一度お試しください。',
  remove: 'この録画を削除',
  removeTitle: 'この録画を削除しますか？',
  removeBody: '映像・切り出した映像・クリップ・文字起こしをすべて削除します。元には戻せません。',
  removeConfirm: '削除する',
  removing: '削除しています…',
  cancel: 'やめる',
  book: {
    notSetUp: (engine: string) => `${engine}（未設定）`,
    mode: '録画',
    modes: { always: '自動で録画', manual: 'モデレーターが操作' },
    resolution: '録画の解像度',
    language: '文字起こしの言語',
    engine: '文字起こしのエンジン',
  },
}

export type PlaygroundRecordingsDictionary = Words<typeof playgroundRecordingsJa>
