import type { Words } from './ja.ts'

/**
 * Japanese words for the consent, the information before entering, and the farewell. `consent-en.ts` has the same
 * keys.
 */
export const consentJa = {
  recording: {
    title: '録画についての確認',
    what: 'あなたの映像と音声、やり取りの内容が記録されます。',
    required: {
      lead: 'このインタビューは、映像と音声を録画します。',
      choice: '同意しない場合は参加できません。理由をたずねられることはありません。',
      decline: '同意しない',
    },
    optional: {
      lead: 'このインタビューは、映像と音声を録画することがあります。',
      choice: '同意しなくても参加できます。その場合、あなたの参加中は録画しません。',
      decline: '同意せずに参加する',
    },
    later: '同意は、参加中いつでも取り消せます。',
  },
  observation: {
    title: '見学についての確認',
    lead: '画面に映らない人が、このインタビューを見学することがあります。',
    what: '見学する人には、あなたの映像と音声、チャットが届きます。',
    choice: '同意しなくても参加できます。その場合、見学する人には何も届きません。',
    decline: '同意せずに参加する',
  },
  transcription: {
    title: '発言の文字表示についての確認',
    lead: 'このインタビューでは、発言をその場で文字にして表示することがあります。',
    what: 'あなたの音声を音声認識のサービスに送り、発言を文字にします。',
    choice: '同意しなくても参加できます。その場合、あなたの音声はこのサービスに送りません。',
    decline: '同意せずに参加する',
  },
  give: '同意して参加する',
  next: '同意して次へ',
  sending: '送信しています…',
  failed: '送信できませんでした。インターネットの接続を確かめて、もう一度お試しください。',
  about: {
    company: '実施する会社',
    purpose: '利用の目的',
    retention: '保存の期間',
    contact: 'お問い合わせ先',
  },
  own: {
    button: '同意',
    title: 'あなたの同意',
    purpose: { recording: '録画', observation: '見学', transcription: '発言の文字表示' },
    state: {
      obtained: '事前に確認済みです',
      pending: 'まだお答えいただいていません',
      given: '同意しています',
      declined: '同意していません',
      withdrawn: '同意を取り消しました',
    },
    give: {
      recording: '録画に同意する',
      observation: '見学に同意する',
      transcription: '文字表示に同意する',
    },
    withdraw: {
      recording: '録画への同意を取り消す',
      observation: '見学への同意を取り消す',
      transcription: '文字表示への同意を取り消す',
    },
    effect: {
      required: '録画への同意を取り消すと、録画はすぐに止まり、インタビューから退出します。',
      optional: '録画への同意を取り消すと、録画はすぐに止まります。そのまま参加できます。',
      observation: '見学への同意を取り消すと、見学する人には何も届かなくなります。',
      transcription:
        '文字表示への同意を取り消すと、あなたの音声は音声認識のサービスに送られなくなります。',
      kept: 'それまでの録画については、お問い合わせ先にご連絡ください。',
    },
    close: '閉じる',
  },
  staff: {
    waits: (names: string) => `録画への同意を待っています：${names} さん`,
    refused: (names: string) => `録画に同意していません：${names} さん`,
    title: '録画への同意',
    everybody: '参加中の回答者は全員、録画に同意しています。',
    separator: ' さん、',
    state: {
      pending: '録画の同意：未回答',
      given: '録画の同意：あり',
      obtained: '録画の同意：取得済み',
      declined: '録画の同意：なし',
      withdrawn: '録画の同意：取り消し',
    },
    observing:
      '回答者の同意を待っています。全員が見学に同意すると、映像・音声と回答者チャットが届きます。',
  },
  info: {
    label: 'インタビューの案内',
    interview: 'インタビュー',
    company: '実施する会社',
    appointment: '日時',
    role: '役割',
    name: 'お名前',
    roles: {
      moderator: 'モデレーター',
      panelist: '回答者',
      observer: 'オブザーバー',
      platform_observer: 'オペレーター',
    },
    watched: 'このインタビューは、画面に映らない人が見学することがあります。',
    watchedIfAgreed:
      '画面に映らない人が見学することがあります。同意していただけるかを、次の画面でうかがいます。',
    transcribedIfAgreed:
      '発言をその場で文字にして表示することがあります。同意していただけるかを、次からの画面でうかがいます。',
    recorded: {
      required: 'このインタビューは録画します。同意していただけるかを、次の画面でうかがいます。',
      optional:
        'このインタビューは録画することがあります。同意していただけるかを、次の画面でうかがいます。',
      given: 'このインタビューの録画には、同意していただいています。',
      obtained: 'このインタビューは録画することがあります。同意は事前にいただいています。',
    },
    staff: {
      required: 'このルームは自動で録画します。回答者には入室前に同意を確認します。',
      optional: 'このルームはモデレーターが録画します。回答者には入室前に同意を確認します。',
      obtained: '録画への同意は、回答者から取得済みの扱いです。回答者への確認はありません。',
      observing:
        '回答者全員が見学に同意するまで、オブザーバーとオペレーターには映像・音声と回答者チャットが届きません。',
    },
  },
  checking: 'インタビューの情報を確かめています…',
  open: {
    title: '入室できるようになりました',
    body: '準備ができたら、次へ進んでください。相手にはまだ見えていません。',
    go: '参加の準備へ進む',
  },
  farewell: {
    thanks: 'ご参加ありがとうございました。このタブは閉じてかまいません。',
    contact: (contact: string) => `お問い合わせ先：${contact}`,
    back: '元のページへ戻る',
    data: 'お預かりした内容について',
    recording: {
      title: '録画',
      started: '録画は続いています。',
      paused: '録画は一時停止しています。',
      making: '動画を作成しています。',
      readyAt: (moment: string) => `完成予定：${moment}ごろ`,
      available: (length: string) => `動画ができました（${length}）。`,
      review: '見る・読む・コメントする',
      failed: '録画に失敗しました。',
      expired: '保存の期間が過ぎたため、動画は削除されました。',
    },
    markers: {
      title: 'あなたのマーカー',
      count: (count: number) => `${count} 件。メモも一緒に保存します。`,
      save: 'テキストで保存',
      fileName: 'マーカー',
      withoutNote: '（メモなし）',
      inRecording: (time: string) => `録画の ${time}`,
    },
  },
}

export type ConsentDictionary = Words<typeof consentJa>
