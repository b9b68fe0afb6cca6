import type {
  ConnectionTestFailure,
  ConnectionWarning,
} from '@interview-room/contract/vocabulary.ts'

export const lastTestJa = {
  title: '接続テスト',
  none: '接続テストの結果はありません',
  at: (when: string) => `接続テスト ${when}`,
  colon: '：',
  separator: '、',
  picture: (resolution: string, frameRate: number) => `推奨画質 ${resolution}・${frameRate}fps`,
  noVideo: '映像を送れる接続ではありません',
  sound: (mos: string) => `音質 ${mos}（最高4.5）`,
  failure: {
    permission_denied: 'カメラかマイクが許可されませんでした',
    no_device: 'カメラかマイクがありませんでした',
    unsupported_browser: '対応していないブラウザでした',
    signaling_failed: 'サービスに接続できませんでした',
    media_failed: '映像と音声の通信ができませんでした',
    aborted_by_user: '途中で中止されました',
    timed_out: '時間内に終わりませんでした',
    internal: '内部エラー',
  } satisfies Record<ConnectionTestFailure, string> as Record<ConnectionTestFailure, string>,
  warning: {
    relay_only: '中継経由のみ',
    tcp_only: 'TCPのみ',
    high_loss: 'パケットロスが多い',
    high_rtt: '遅延が大きい',
    high_jitter: 'ジッターが大きい',
    low_uplink: '上り速度が低い',
    cpu_limited: '端末の負荷が高い',
  } satisfies Record<ConnectionWarning, string> as Record<ConnectionWarning, string>,
}

export type LastTestDictionary = typeof lastTestJa
