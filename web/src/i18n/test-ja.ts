import type {
  ConnectionTestFailure,
  ConnectionWarning,
  DeviceResult,
} from '@interview-room/contract/vocabulary.ts'
import { ja } from './ja.ts'

/** Every word of the connection test's page, in Japanese. `test-en.ts` has the same keys. */
export const testJa = {
  pageTitle: '接続テスト',
  loading: '準備しています…',
  intro: {
    title: '接続テスト',
    lead: 'インタビューの前に、カメラとマイク、インターネット回線を確かめます。1分ほどで終わります。',
    points: {
      devices:
        'はじめに、カメラとマイクを確かめます。ブラウザが確認したら「許可」を選んでください。',
      line: '次に、約25秒かけて回線を測ります。通信量は最大で15MBほどです。',
      recorded:
        'このテストは録画されます。回線を測るあいだのカメラの映像とマイクの音声が残ります。',
      notRecorded:
        'カメラの映像とマイクの音声は、録画も送信もされません。回線は、作られた映像と音で測ります。',
    },
    agree: '「始める」を押すと、カメラとマイクを使うことに同意したものとします。',
    agreeRecorded: '「始める」を押すと、カメラとマイクを使うことと、録画に同意したものとします。',
    begin: '始める',
    beginning: '始めています…',
    failed: '始められませんでした。インターネット接続を確かめて、もう一度お試しください。',
  },
  devices: {
    title: 'カメラとマイクの確認',
    lead: '映像が見え、話すとバーが動けば大丈夫です。',
    heard: '音は聞こえましたか',
    yes: '聞こえた',
    no: '聞こえない',
    heardYes: 'スピーカー：聞こえた',
    heardNo: 'スピーカー：聞こえない。音量と、つないだ機器を確かめて、もう一度お試しください。',
    next: '回線を測る',
    nextWithoutCamera: 'カメラなしで続ける',
    needsMicrophone: 'マイクが使えるようになると、先へ進めます。',
    end: 'テストをやめる',
    endsIn: (sec: string) => `操作がないと、${sec}秒後に自動で終わります。`,
  },
  measuring: {
    title: '回線を測っています',
    lead: 'このページを開いたまま、30秒ほどお待ちください。',
    recorded: '録画しています',
    progress: '進みぐあい',
    steps: {
      connecting: 'つないでいます',
      baseline: '回線の反応を測っています',
      filling: '回線の速さを測っています',
      settling: '回線の速さを測りました',
      counting: 'インタビューと同じ量で測っています',
      tcp: '別の通り道（TCP）を測っています',
    },
  },
  sending: {
    title: '結果を送っています',
    body: 'あと少しです。このページを開いたままお待ちください。',
    failedTitle: '結果を送れませんでした',
    failedBody: 'インターネット接続を確かめて、もう一度お試しください。',
    again: 'もう一度送る',
  },
  done: {
    title: 'テストが終わりました',
    body: 'ありがとうございました。結果は担当者に届いています。このページは閉じてかまいません。',
    measured: '測った結果',
    uplink: '送る速さ',
    downlink: '受け取る速さ',
    mbps: (value: string) => `毎秒 約${value}メガビット（Mbps）`,
    picture: '合う映像',
    pictureOf: (size: string, rate: string) => `${size}、毎秒${rate}コマ`,
    voiceOnly: '音声のみ',
    size: { '320x240': '小さめ', '640x480': '中くらい', '1280x720': '大きめ' },
    voice: '声の聞こえ方',
    voiceOf: (word: string, score: string) => `${word}（${score}、最高4.5）`,
    voiceRatings: {
      clear: 'はっきり聞こえる',
      good: 'よく聞こえる',
      fair: '聞き取れる',
      poor: '聞き取りにくいことがある',
      bad: '聞き取りにくい',
    },
    delay: '往復の時間',
    ms: (value: string) => `${value}ミリ秒`,
    loss: '届かなかったデータ',
    percent: (value: string) => `${value}%`,
    unknown: '測れませんでした',
    devices: '機器',
    hints: '回線をよくするヒント',
  },
  hint: {
    relay_only:
      'ネットワークの制限で、遠回りの経路を使っています。ほかのWi-Fiや携帯回線でも試してみてください。',
    tcp_only:
      'ネットワークの制限で、映像と音声に向かない経路を使っています。ほかのWi-Fiや携帯回線でも試してみてください。',
    high_loss:
      '途中で失われるデータがあります。Wi-Fiの機器に近づくか、LANケーブルでつないでください。',
    high_rtt: '声が届くまでに時間がかかります。VPNを使っている場合は、切って試してみてください。',
    high_jitter:
      'データの届き方にむらがあります。同じ回線での動画の視聴や大きなダウンロードを止めてください。',
    low_uplink:
      '送る速さが足りません。ほかの機器の通信を止めるか、別の回線でも試してみてください。',
    cpu_limited: '機器の処理が追いついていません。使っていないアプリやタブを閉じてください。',
  } satisfies Record<ConnectionWarning, string>,
  kind: { camera: 'カメラ', microphone: 'マイク', speaker: 'スピーカー' },
  result: {
    ok: '使えます',
    denied: '許可されていません',
    not_found: '見つかりません',
    in_use: 'ほかのアプリが使っています',
    failed: '使えませんでした',
    not_tested: '確かめていません',
  } satisfies Record<DeviceResult, string>,
  failed: {
    title: 'テストは最後まで進みませんでした',
    resultsSent: 'ここまでの内容は担当者に届いています。',
  },
  failure: {
    permission_denied:
      'カメラかマイクが許可されませんでした。ブラウザの設定で許可してから、もう一度お試しください。',
    no_device: 'カメラかマイクが使えませんでした。機器をつないでから、もう一度お試しください。',
    unsupported_browser:
      'このブラウザでは参加できません。新しいChrome、Edge、Safari、Firefoxで同じリンクを開いてください。',
    signaling_failed: ja.trouble.sockets,
    media_failed: ja.trouble.media,
    aborted_by_user: 'テストの途中でページが閉じられたか、テストが止められました。',
    timed_out: '時間内に終わりませんでした。回線がよいところで、もう一度お試しください。',
    internal: '思いがけない問題が起きました。もう一度お試しください。',
  } satisfies Record<ConnectionTestFailure, string>,
  again: {
    action: 'もう一度テストする',
    asking: '準備しています…',
    failed: 'いまは始められませんでした。時間をおいて、もう一度お試しください。',
  },
  expired: {
    title: 'このテストの期限が過ぎました',
    body: '新しいリンクが必要です。リンクを送った担当者にお問い合わせください。',
  },
  badLink: {
    title: 'このリンクではテストできません',
    body: 'リンクが正しくコピーされていない可能性があります。案内に書かれたリンクをもう一度開くか、担当者にお問い合わせください。',
  },
  elsewhere: {
    title: '別の場所で開かれました',
    body: '同じリンクが別のタブや機器で開かれ、テストはそちらで続いています。このページは閉じてかまいません。',
  },
  unreachable: {
    title: '接続できませんでした',
    body: ja.trouble.service,
    again: 'もう一度試す',
  },
}

export type TestDictionary = typeof testJa
