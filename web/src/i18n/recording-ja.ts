import type { Words } from './ja.ts'

/** A moderator's controls of the recording, in Japanese. `recording-en.ts` has the same keys. */
export const recordingJa = {
  open: '録画の操作',
  idle: '録画',
  title: '録画',
  none: '録画していません',
  elapsed: (time: string) => `録画時間 ${time}`,
  remaining: (time: string) => `残り ${time}`,
  start: '録画を始める',
  pause: '一時停止',
  resume: '再開する',
  stop: '録画を終了する',
  key: 'Shift + R キー：開始・一時停止・再開',
  sending: '送信しています。終わるまで操作できません。',
  refused: {
    start: '録画を始められませんでした。もう一度お試しください。',
    consent: '録画への同意がそろっていないため、録画できません。全員が同意してから始めてください。',
    other: '操作できませんでした。もう一度お試しください。',
  },
  confirm: {
    title: '録画を終了しますか？',
    body: '終了した録画は再開できません。自動でもう一度始まることもありません。',
    confirm: '終了する',
    cancel: 'やめる',
  },
  outcome: {
    waiting: '動画の作成を待っています。',
    making: (percent: number) => `動画を作成中です（${percent}%）。`,
    availableAt: (moment: string) => `完成予定：${moment}ごろ`,
    available: '録画を保存しました。',
    incomplete: (time: string) => `録画を保存しましたが、${time}が欠けています。`,
  },
  alarm: {
    failed: '録画が途中で止まりました。「録画の操作」から、もう一度始めてください。',
    notWritten: '録画がまだ書き込まれていません。いまの映像と音声は残らないおそれがあります。',
    interrupted:
      '録画の機器が止まったため、いまの映像と音声は録画されていません。復旧しだい、自動で録画を再開します。',
    paused: '録画の一時停止が 5 分を超えました。「録画の操作」から再開できます。',
    missing:
      'このルームは録画されるはずですが、録画が始まっていません。「録画の操作」から始めてください。',
  },
  /** The alarm's words inside of the controls, which it names elsewhere. */
  alarmInPanel: {
    failed: '録画が途中で止まりました。もう一度始めてください。',
    paused: '録画の一時停止が 5 分を超えました。',
    missing: 'このルームは録画されるはずですが、録画が始まっていません。',
  },
}

export type RecordingDictionary = Words<typeof recordingJa>
