import type {
  ConnectionTestFailure,
  ConnectionWarning,
} from '@interview-room/contract/vocabulary.ts'

export const lastTestJa = {
  title: '接続テスト',
  none: '接続テストの結果はありません',
  at: (when: string) => `接続テスト ${when}`,
  picture: (resolution: string, frameRate: number) =>
    `映像の目安 ${resolution}・毎秒${frameRate}コマ`,
  noPicture: '映像を送れる回線ではありません',
  sound: (mos: string) => `音質 ${mos}（最高4.5）`,
  failure: {
    permission_denied: 'カメラかマイクが許可されませんでした',
    no_device: 'カメラかマイクがありませんでした',
    unsupported_browser: '対応していないブラウザでした',
    signaling_failed: 'サービスに接続できませんでした',
    media_failed: '映像と音声の通信ができませんでした',
    aborted_by_user: '途中でやめました',
    timed_out: '時間内に終わりませんでした',
    internal: 'テストで問題が起きました',
  } satisfies Record<ConnectionTestFailure, string> as Record<ConnectionTestFailure, string>,
  warning: {
    relay_only: '中継経由のみ',
    tcp_only: 'TCPのみ',
    high_loss: 'データの欠けが多い',
    high_rtt: '遅れが大きい',
    high_jitter: '遅れのばらつきが大きい',
    low_uplink: '上りが細い',
    cpu_limited: '端末の処理が追いつかない',
  } satisfies Record<ConnectionWarning, string> as Record<ConnectionWarning, string>,
}

export type LastTestDictionary = typeof lastTestJa
