import type { ConnectionTestStatus } from '@interview-room/contract/vocabulary.ts'

export const playgroundTestsJa = {
  title: '接続テスト',
  lead: 'インタビューの前に、回答者の機器と接続を確かめます。',
  name: '回答者の名前',
  record: 'テストを録画する',
  start: 'テストを始める',
  open: 'テストの画面を開く',
  opened: (name: string) => `${name}のテストの画面を開く`,
  empty: 'まだテストはありません。',
  status: {
    pending: '開始前',
    running: '測定中',
    completed: '完了',
    failed: '失敗',
    expired: '期限切れ',
  } satisfies Record<ConnectionTestStatus, string> as Record<ConnectionTestStatus, string>,
}

export type PlaygroundTestsDictionary = typeof playgroundTestsJa
