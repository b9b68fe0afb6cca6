/** The reasons why a connection does not come up, with the remedy. The connection test uses them, too. */
const trouble = {
  service:
    'サービスが応答していません。インターネット接続を確かめてください。ログイン画面のあるWi-Fiでは、先にログインしてください。',
  sockets:
    'このネットワークかセキュリティソフトが、通話に必要な通信（WebSocket）を止めています。ほかのネットワークを使うか、VPNを切るか、スマートフォンのテザリングでお試しください。',
  media:
    'このネットワークでは、映像と音声が通りません。ほかのネットワークを使うか、VPNを切るか、スマートフォンのテザリングでお試しください。',
}

/** Every word of the room page, in Japanese. `en.ts` has the same keys. */
export const ja = {
  productName: 'インタビュールーム',
  join: '参加する',
  joinWithout: {
    microphone: 'マイクなしで参加する',
    camera: 'カメラなしで参加する',
    both: 'カメラとマイクなしで参加する',
  },
  trouble,
  connecting: {
    title: '接続しています…',
    lead: 'このページを開いたままお待ちください。つながると、そのまま入室します。',
    stages: { entering: '入室の確認', signalling: 'サーバーとの接続', media: '映像と音声の接続' },
    done: '完了',
    now: '接続中…',
    notYet: 'まだつながっていません',
    stop: '接続をやめる',
  },
  prejoin: {
    title: '参加の準備',
    lead: 'カメラとマイクを確かめてから参加してください。相手にはまだ見えていません。',
    as: (name: string) => `${name} さんとして参加します`,
    nameLabel: 'お名前',
    nameHint: 'インタビューの画面に表示されます',
    allow: 'ブラウザの確認画面で「許可」を選んでください',
    cameraOff: 'カメラはオフです',
    cameraStarting: 'カメラを準備しています…',
    blurring: '背景をぼかしています…',
    levelLabel: 'マイクの音量',
    levelHint: '話すとバーが動きます',
    levelOff: 'マイクはオフです',
    levelSilent:
      'マイクから音が届いていません。マイクのスイッチを確認するか、別のマイクを選んでください。',
    hearYourself: '自分の声を聞く',
    hearRecording: '話してください…',
    hearPlaying: '再生しています…',
    tone: 'スピーカーを試す',
    tonePlaying: '音を鳴らしています…',
    preview: 'カメラの確認',
  },
  observer: {
    title: { observer: 'オブザーバーとして参加', platform_observer: 'オペレーターとして参加' },
    lead: 'カメラとマイクは使いません。音が聞こえるかを確かめてから参加してください。',
    unseen: 'インタビューの参加者には、あなたの存在は表示されません。',
    badge: {
      observer:
        'オブザーバーとして参加中です。インタビューの参加者には、あなたの存在は表示されません。',
      platform_observer:
        'オペレーターとして参加中です。インタビューの参加者には、あなたの存在は表示されません。',
    },
    nobodyYet: 'インタビューの開始を待っています',
    nobodyYetHint: '参加者が入室すると、ここに表示されます。',
  },
  device: {
    microphone: 'マイク',
    camera: 'カメラ',
    speaker: 'スピーカー',
    systemDefault: '既定の機器',
    unnamed: (number: number) => `機器 ${number}`,
    menu: '機器',
    menuTitle: '使う機器を選ぶ',
    noise: '周囲の雑音を減らす',
    blur: '背景をぼかす',
    blurStarting: 'ぼかしを準備しています。終わるまで、背景はほかの人に見えます。',
    noiseFailed: 'このブラウザでは雑音を減らせません。マイクの音はそのまま届きます。',
  },
  problem: {
    microphone: {
      denied: 'マイクの使用が許可されていません',
      'not-found': 'マイクが見つかりません',
      busy: 'マイクをほかのアプリが使っています',
      failed: 'マイクを使えませんでした',
    },
    camera: {
      denied: 'カメラの使用が許可されていません',
      'not-found': 'カメラが見つかりません',
      busy: 'カメラをほかのアプリが使っています',
      failed: 'カメラを使えませんでした',
    },
    speaker: {
      denied: 'スピーカーを切り替えられませんでした',
      'not-found': 'スピーカーが見つかりません',
      busy: 'スピーカーを切り替えられませんでした',
      failed: 'スピーカーを切り替えられませんでした',
    },
    help: {
      denied: {
        chrome:
          'アドレスバー左のアイコンを押し、カメラとマイクを「許可」にして、もう一度お試しください。',
        safari:
          'アドレスバーの「ぁあ」またはメニューから「Webサイトの設定」を開き、「許可」にして、もう一度お試しください。',
        firefox:
          'アドレスバー左のカメラのアイコンを押し、ブロックを解除して、もう一度お試しください。',
        frame: 'このページを表示しているサイトが、使用を許可していません。招待元にご連絡ください。',
        appSettings:
          '端末の「設定」でこのブラウザのアプリを選び、カメラとマイクをオンにして、もう一度お試しください。',
      },
      'not-found': '機器がつながっているか確かめて、もう一度お試しください。',
      busy: 'ほかのビデオ会議アプリやタブを閉じて、もう一度お試しください。',
      failed: '機器をつなぎ直すか、ブラウザを再起動して、もう一度お試しください。',
      blur: 'カメラはオフなので、背景は誰にも見えません。もう一度試すか、「背景をぼかす」を外してからカメラをオンにしてください。',
    },
    blur: '背景をぼかせません',
    both: 'カメラとマイクの使用が許可されていません',
    retry: 'もう一度試す',
    dismiss: '閉じる',
  },
  call: {
    muteMicrophone: 'マイクをオフ',
    unmuteMicrophone: 'マイクをオン',
    stopCamera: 'カメラをオフ',
    startCamera: 'カメラをオン',
    leave: '退出',
    stage: '映像',
    controls: '操作',
    you: 'あなた',
    moderator: 'モデレーター',
    muted: 'マイクはオフ',
    speaking: '話しています',
    cameraOff: 'カメラはオフ',
    videoWithheld: '全員が見学に同意すると表示されます',
    videoLoading: '映像を読み込んでいます',
    videoStopped: '映像を止めています',
    videoPausedByNetwork: '接続が遅いため映像を止めています。音声は続きます。',
    people: '参加者の映像',
    live: '接続中',
    reconnecting: '再接続中',
    reconnectingLong: '接続が切れました。再接続しています。このままお待ちください。',
    reconnected: '再接続しました',
    speakingWhileMuted: 'マイクがオフのまま話しています',
    microphoneSilent:
      'マイクから音が届いていません。マイクのスイッチを確認するか、別のマイクを選んでください。',
    noSound: '音なし',
    noSoundLong: 'マイクはオンですが、音が届いていません',
    tapToHear: 'タップして音声を聞く',
    entered: '入室しました',
    enteredWith: (names: string) => `入室しました。ほかの参加者：${names} さん`,
    joined: (name: string) => `${name} さんが入室しました`,
    wentOut: (name: string) => `${name} さんが退室しました`,
    microphoneIsOff: 'マイクをオフにしました',
    microphoneIsOn: 'マイクをオンにしました',
    waiting: 'ほかの参加者を待っています',
    until: (time: string) => `${time} まで`,
    shortcut: (key: string) => `キー ${key}`,
    quality: {
      good: '接続 良好',
      fair: '接続 普通',
      poor: '接続 不安定',
      lost: '接続 切断',
      unknown: '接続 確認中',
    },
  },
  left: {
    title: '退出しました',
    body: 'この画面は閉じてかまいません。もう一度参加することもできます。',
    again: 'もう一度参加する',
  },
  notFound: {
    title: 'ページが見つかりません',
    body: 'このアドレスのページはありません。案内に書かれたリンクをもう一度開くか、担当者にお問い合わせください。',
  },
  refusal: {
    'bad-link': {
      title: 'このリンクでは参加できません',
      body: 'リンクの有効期限が切れているか、正しくコピーされていない可能性があります。案内に書かれたリンクをもう一度開くか、担当者にお問い合わせください。',
    },
    closed: {
      title: 'このインタビューは終了しました',
      body: 'ルームはすでに閉じられています。この画面は閉じてかまいません。',
    },
    cancelled: {
      title: 'このインタビューは中止になりました',
      body: '予定が取り消されたため、入室できません。ご不明な点は、担当者にお問い合わせください。',
    },
    banned: {
      title: 'このルームには参加できません',
      body: 'このルームへの参加が停止されています。お心当たりがない場合は、担当者にお問い合わせください。',
    },
    'too-early': {
      title: '入室時間までお待ちください',
      body: (window: string, zone: string) => `入室できる時間：${window}（${zone}）`,
      hint: 'この画面を開いたままお待ちください。入室できる時間になると、お知らせします。',
      countdown: '入室できるまで',
    },
    over: {
      title: '参加できる時間を過ぎました',
      body: 'このインタビューの予定時間は終了しています。お困りの場合は、担当者にお問い合わせください。',
    },
    unavailable: {
      title: '接続できませんでした',
      body: trouble.service,
    },
    removed: {
      title: 'ルームから退出しました',
      body: '担当者の操作により、ルームから退出しました。',
    },
    elsewhere: {
      title: '別の画面で開かれています',
      body: '同じリンクが別のタブまたは端末で開かれたため、この画面での参加を終了しました。',
    },
    lost: {
      title: '接続が切れました',
      body: '再接続できませんでした。インターネットの接続を確かめて、もう一度参加してください。',
    },
    declined: {
      title: '参加を取りやめました',
      body: '録画への同意がなかったため、インタビューには参加していません。映像と音声は送られていません。同意しなかったことは担当者に伝わりました。この画面は閉じてかまいません。',
    },
    insecure: {
      title: '安全な接続で開いてください',
      body: 'この接続ではカメラとマイクを使えません。「https://」で始まるリンクから開き直してください。',
    },
    'in-app': {
      title: 'ブラウザで開いてください',
      body: 'アプリの中の画面ではカメラとマイクを使えません。メニューから「ブラウザで開く」を選び、Safari または Chrome で開いてください。',
    },
    'too-old': {
      title: 'このブラウザでは参加できません',
      body: 'Chrome、Edge、Safari、Firefox の最新版で、同じリンクを開いてください。',
    },
    retry: 'もう一度試す',
    joinAgain: 'もう一度参加する',
    withdrawn: {
      title: '録画への同意を取り消しました',
      body: '録画を止め、インタビューから退出しました。それまでの録画については、お問い合わせ先にご連絡ください。',
    },
    reconsider: '考え直して参加する',
    joinHere: 'この画面で参加する',
  },
}

/** The same keys with other words. */
export type Dictionary = Words<typeof ja>
export type Words<T> = T extends string
  ? string
  : T extends (...given: infer Given) => string
    ? (...given: Given) => string
    : { readonly [Key in keyof T]: Words<T[Key]> }
