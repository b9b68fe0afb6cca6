import { DESKTOP, EVERY, type PageState, PHONE } from './harness/snapshots.ts'

const BOTH = [...DESKTOP, ...PHONE]
const MAIN = [...BOTH, { locale: 'en', scheme: 'dark', device: 'phone' } as const]

/** Every state of the pages: its words, and its looks (by default once on a desktop). */
export const PAGE_STATES = {
  'device-check': {
    says: {
      ja: ['参加の準備', '佐藤 花子 さんとして参加します', '画面に映らない人が見学する', '役割'],
      en: ['Get ready to join', 'Choose devices', 'People you don’t see may watch'],
    },
    looks: EVERY,
  },
  'device-check-moderator': {
    says: { ja: ['森 一郎 さんとして参加します', '回答者には入室前に同意を確認します'] },
  },
  'device-check-observer': {
    says: { ja: ['オブザーバーとして参加', 'カメラとマイクは使いません'] },
  },
  'device-check-guest': { says: { ja: ['お名前', 'インタビューの画面に表示されます'] } },
  'device-denied': { says: { ja: ['カメラとマイクの使用が許可されていません'] }, looks: BOTH },
  'device-busy': { says: { ja: ['カメラをほかのアプリが使っています', 'もう一度試す'] } },
  'connection-check-good': { says: { ja: ['接続は良好です'] } },
  'connection-check-failed': {
    says: { ja: ['サーバーにつながりません', 'もう一度確認する'] },
    looks: PHONE,
  },
  'device-missing': { says: { ja: ['マイクが見つかりません', 'カメラとマイクなしで参加する'] } },
  'browser-too-old': { says: { ja: ['Chrome、Edge、Safari、Firefox の最新版'] }, looks: PHONE },
  'browser-in-app': { says: { ja: ['「ブラウザで開く」を選び'] }, looks: PHONE },
  'browser-insecure': { says: { ja: ['「https://」で始まるリンク'] }, looks: PHONE },
  'waiting-room': {
    says: {
      ja: ['入室時間までお待ちください', '日本時間\u00a0JST', '入室できるまで', 'お知らせします'],
      en: ['You are early', 'Opens in'],
    },
    looks: MAIN,
    isOnlyInLongRun: true,
  },
  'room-open': {
    says: { ja: ['入室できるようになりました', '参加の準備へ進む'], en: ['You can enter now'] },
    looks: BOTH,
  },
  consent: {
    says: {
      ja: [
        '録画についての確認',
        '同意しない場合は参加できません',
        '実施する会社',
        'お問い合わせ先',
      ],
      en: ['About the recording', 'Agree and join'],
    },
    looks: MAIN,
    isOnlyInLongRun: true,
  },
  'consent-observation': { says: { ja: ['見学についての確認'] }, looks: PHONE },
  'consent-transcription': {
    says: { ja: ['発言の文字表示についての確認', 'あなたの音声はこのサービスに送りません'] },
    looks: PHONE,
  },
  'connecting-blocked': {
    says: { ja: ['映像と音声の接続', '映像と音声が通りません', '接続をやめる'] },
    looks: BOTH,
    isOnlyInLongRun: true,
  },
  'consent-declined': { says: { ja: ['参加を取りやめました', '考え直して参加する'] } },
  'bad-link': { says: { ja: ['このリンクでは参加できません'] }, looks: BOTH },
  over: { says: { ja: ['参加できる時間を過ぎました'] } },
  cancelled: { says: { ja: ['このインタビューは中止になりました'] } },
  unavailable: { says: { ja: ['接続できませんでした', 'もう一度試す'] } },

  'test-intro': {
    says: { ja: ['接続テスト', '1分ほどで終わります', '始める'], en: ['Connection test', 'Start'] },
    looks: MAIN,
    isOnlyInLongRun: true,
  },
  'test-devices': {
    says: { ja: ['カメラとマイクの確認', '回線を測る'], en: ['Measure my connection'] },
    looks: MAIN,
    isOnlyInLongRun: true,
  },
  'test-measuring': {
    says: { ja: ['回線を測っています'], en: ['Measuring your connection'] },
    looks: MAIN,
    isOnlyInLongRun: true,
  },
  'test-done': {
    says: { ja: ['テストが終わりました', '送る速さ', '声の聞こえ方'], en: ['Upload speed'] },
    looks: MAIN,
    isOnlyInLongRun: true,
  },
  'test-failed': {
    says: { ja: ['テストは最後まで進みませんでした', '許可されませんでした'] },
    looks: BOTH,
  },
  'test-expired': { says: { ja: ['このテストの期限が過ぎました'] }, looks: BOTH },
  'test-bad-link': { says: { ja: ['このリンクではテストできません'] } },

  'observer-waiting': {
    says: { ja: ['インタビューの開始を待っています', 'オブザーバーとして参加中です'] },
  },
  'room-panelist': {
    isForFingers: true,
    says: {
      ja: ['マイクをオフ', 'チャット', '困ったとき', '森 一郎'],
      en: ['Mute', 'Stop camera', 'Leave'],
    },
    looks: EVERY.toReversed(),
    isOnlyInLongRun: true,
  },
  'panelist-chat': {
    isForFingers: true,
    says: { ja: ['この部屋の全員が読みます', 'この新商品の第一印象'] },
    looks: PHONE,
  },
  'panelist-consent': {
    isForFingers: true,
    says: { ja: ['あなたの同意', '録画への同意を取り消す'] },
    looks: PHONE,
  },
  'panelist-help': { isForFingers: true, says: { ja: ['担当者を呼びますか？'] }, looks: PHONE },
  'panelist-help-sent': {
    isForFingers: true,
    says: { ja: ['担当者に知らせました'] },
    looks: PHONE,
  },
  'room-moderator': {
    says: {
      ja: [
        '回答者を含む全員が読みます',
        '佐藤 花子 さんがヘルプを求めています',
        '未読 2 件',
        '残り',
      ],
      en: ['Everyone can read this', 'asked for help', '2 unread'],
    },
    looks: EVERY,
    isOnlyInLongRun: true,
  },
  'moderator-back-room': {
    says: { ja: ['回答者には見えません', '価格についても聞いてください。', 'あとで聞きます'] },
    looks: BOTH,
  },
  'device-check-tested': {
    says: { ja: ['森 一郎 さんとして参加します', '佐藤 花子', '接続テスト', '音質'] },
  },
  'moderator-speaker': { says: { ja: ['佐藤 花子', '森 一郎', '鈴木 健'] } },
  'room-captions': { says: { ja: ['最初は気がつきませんでした'] }, looks: BOTH },
  'moderator-transcript': { says: { ja: ['色がきれいで', '回答者には見えません'] }, looks: BOTH },
  'moderator-roster': {
    says: { ja: ['音質', '参加者一覧', '田中 美咲', '運営 太郎', '手を挙げています'] },
  },
  'moderator-person': { says: { ja: ['マイクをオフにする', '退出させて入室を禁止'] } },
  'moderator-ban': {
    says: { ja: ['佐藤 花子 さんを退出させ、入室を禁止しますか？', '理由（必須）'] },
  },
  'moderator-handouts': { says: { ja: ['回答者には何も表示されていません', 'パッケージ案A.png'] } },
  'moderator-handout-preview': { says: { ja: ['自分だけに見えるプレビュー'] } },
  'moderator-handout-shown': { says: { ja: ['回答者に表示中：パッケージ案A.png'] } },
  'panelist-handout': { isForFingers: true, says: { ja: ['森 一郎'] }, looks: BOTH },
  'moderator-handout-video': {
    says: { ja: ['回答者に表示中：紹介映像.mp4', '再生'] },
    looks: BOTH.toReversed(),
  },
  'panelist-handout-video': { isForFingers: true, says: { ja: ['森 一郎'] }, looks: PHONE },
  'moderator-marker': { says: { ja: ['マーカーを付ける', 'メモ（任意）'] } },
  'moderator-events': { says: { ja: ['森 一郎 さんがマーカーを付けました', '価格の話'] } },
  'moderator-devices': { says: { ja: ['使う機器を選ぶ'] } },
  'moderator-line': { says: { ja: ['接続の状態', 'あなたの接続'] }, looks: BOTH.toReversed() },
  'moderator-more': { says: { ja: ['オペレーターを呼ぶ', 'キーボード操作', 'ルームを閉じる'] } },
  'moderator-shortcuts': { says: { ja: ['文字を入力しているときは働きません。'] } },
  'moderator-close': { says: { ja: ['このルームを閉じますか？'] } },
  'room-observer': {
    says: {
      ja: [
        'オブザーバーとして参加中です',
        'オブザーバーとオペレーターだけ',
        '進行は予定どおりです。',
      ],
      en: ['You are observing', 'Only observers and operators'],
    },
    looks: [...EVERY.filter(({ device }) => device === 'desktop'), ...PHONE],
    isOnlyInLongRun: true,
  },
  'observer-saving': { says: { ja: ['映像を止めています'] }, looks: BOTH },
  'observer-back-room': { says: { ja: ['価格についても聞いてください。'] } },
  'room-operator': {
    says: {
      ja: ['オペレーターとして参加中です', 'バックルーム', '佐藤 花子 さんがヘルプを求めています'],
    },
  },

  'mute-asked': {
    isForFingers: true,
    says: { ja: ['モデレーターがマイクをオフにしました'] },
    looks: PHONE,
  },
  'camera-off': { isForFingers: true, says: { ja: ['カメラはオフ'] }, looks: PHONE },
  'camera-lost': {
    isForFingers: true,
    says: { ja: ['カメラをほかのアプリが使っています'] },
    looks: PHONE,
  },
  'speaking-while-muted': { says: { ja: ['マイクがオフのまま話しています'] } },
  'window-ends': { says: { ja: ['ルームはあと 10 分で閉じます'] } },
  'recording-paused': { says: { ja: ['録画を一時停止中'] }, looks: BOTH },
  'recording-failed': { says: { ja: ['録画が止まりました'] }, looks: BOTH },
  'recording-starting': { says: { ja: ['録画の開始待ち'] }, looks: PHONE },
  'recording-not-written': { says: { ja: ['録画できていません', '残らないおそれがあります'] } },
  'recording-none-panel': { says: { ja: ['録画していません', '録画を始める'] }, looks: BOTH },
  'recording-started-panel': {
    says: { ja: ['録画中', '録画時間 1:', '録画を終了する'] },
    looks: BOTH,
  },
  'recording-paused-panel': { says: { ja: ['録画時間 1:05', '再開する'] } },
  'recording-failed-panel': {
    says: { ja: ['もう一度始めてください', '録画を始める'] },
    looks: BOTH,
  },
  'recording-no-consent': {
    says: { ja: ['録画に同意していません：佐藤 花子 さん', '録画への同意がそろっていない'] },
  },
  'recording-stopped': { says: { ja: ['録画していません'] }, looks: BOTH },
  'observer-consent': { says: { ja: ['回答者の同意を待っています'] } },
  'recording-stop': { says: { ja: ['録画を終了しますか？'] } },
  'translated-recording': { says: { ja: ['«録画中»', '«マイクをオフ»'] } },
  'held-back': { says: { ja: ['録画中', 'この新商品の第一印象'] }, looks: PHONE },
  'eighth-tab': { says: { ja: ['オペレーターとして参加中です', '進行は予定どおりです。'] } },
  'clock-corrected': { says: { ja: ['経過'] } },
  'large-text': { says: { ja: ['https://example.com/package'] }, looks: PHONE },
  'leave-asked': {
    isForFingers: true,
    says: { ja: ['インタビューから退出しますか？', '退出しない'] },
    looks: PHONE,
  },
  'microphone-silent': {
    isForFingers: true,
    says: { ja: ['マイクから音が届いていません'] },
    looks: PHONE,
  },
  'moderator-no-sound': { says: { ja: ['音なし'] } },
  'stream-cut': { says: { ja: ['チャットと資料、お知らせの受信が途切れています'] } },
  reconnecting: { says: { ja: ['再接続しています。このままお待ちください。'] }, looks: BOTH },
  lost: { says: { ja: ['接続が切れました', 'もう一度参加する'] } },
  elsewhere: { says: { ja: ['別の画面で開かれています', 'この画面で参加する'] } },
  removed: { says: { ja: ['ルームから退出しました'] } },
  left: { says: { ja: ['退出しました'] }, looks: BOTH },
  'left-panelist': {
    says: { ja: ['ご参加ありがとうございました', 'お問い合わせ先', '元のページへ戻る'] },
    looks: PHONE,
  },
  banned: { says: { ja: ['このルームには参加できません'] }, looks: PHONE },
  closed: { says: { ja: ['このインタビューは終了しました'] } },

  'device-replaced': {
    says: { ja: ['内蔵カメラ'] },
    looks: PHONE,
    isForFingers: true,
  },

  'board-empty': { says: { ja: ['表示するルームはありません'] } },
  'board-calm': { says: { ja: ['要対応なし', '佐藤 花子'] }, looks: BOTH },
  'board-alarms': {
    says: {
      ja: ['佐藤 花子 さんがヘルプを求めています', '対応済みにする'],
      en: ['asked for help'],
    },
    looks: EVERY,
    isOnlyInLongRun: true,
  },

  'board-cut': { says: { ja: ['サービスとの接続が切れています'] }, looks: BOTH },
  'board-ended': { says: { ja: ['このリンクは使えません'] } },

  playground: {
    says: {
      ja: ['インタビューを予約', '入退室の記録', '届いた通知と、署名の検証結果'],
      en: ['Book an interview'],
    },
    looks: EVERY.filter(({ device }) => device === 'desktop'),
    isOnlyInLongRun: true,
  },
  'playground-recordings': {
    says: {
      ja: ['再生できます', 'ZIP をダウンロード', '90 秒以内に始まりませんでした'],
      en: ['Available', 'Watch and review', 'it didn’t start within 90 seconds'],
    },
    looks: MAIN,
    isOnlyInLongRun: true,
  },

  'review-transcript': {
    says: {
      ja: ['文字起こし', '緑が濃いと、味も濃そうに見えるんです。', '佐藤 さん・リンクの期限'],
      en: ['Transcript', 'link valid until'],
    },
    looks: MAIN,
    isOnlyInLongRun: true,
  },
  'review-correction': { says: { ja: ['この発言者のすべての行', '保存'] } },
  'review-keys': { says: { ja: ['キーボード操作', '前の発言・次の発言へ'] } },
  'review-clip-form': { says: { ja: ['最後の 2 秒を再生', 'クリップを作る'] } },
  'review-clips': { says: { ja: ['はがしやすいラベル', 'リールを作る'] }, looks: BOTH },
  'review-reel-form': { says: { ja: ['つなげるクリップ（上から順に）', '映像に焼き込む'] } },
  'review-comments': { says: { ja: ['賛成です。', 'Enter で送信'] }, looks: BOTH },
  'review-share': { says: { ja: ['共有リンク', '許可すること', 'リンクを作る'] } },
  'review-axis': { says: { ja: ['タイムライン', '入退室', '森 一郎'] }, looks: PHONE },
  'review-watermark': { says: { ja: ['文字起こし'] } },
  'review-gate': {
    says: { ja: ['録画を見る', 'パスワード', '名前（コメントするとき）'] },
    looks: PHONE,
  },
  'review-shared-clip': { says: { ja: ['はがしやすいラベル'] }, looks: BOTH },
  'review-ended': { says: { ja: ['このリンクでは開けません'] }, looks: PHONE },

  'console-rooms': {
    says: {
      ja: [
        'API キー「console」で表示中',
        '新商品コンセプト インタビュー',
        '在室 1 人',
        'ルーム ID',
      ],
      en: ['1 person present'],
    },
    looks: MAIN,
    isOnlyInLongRun: true,
  },
  'console-deliveries': {
    says: {
      ja: ['participant.entered', '再送する', '"role": "panelist"', '204（'],
      en: ['Redeliver'],
    },
    looks: MAIN,
    isOnlyInLongRun: true,
  },
} satisfies Record<string, PageState>

export type PageStateName = keyof typeof PAGE_STATES
