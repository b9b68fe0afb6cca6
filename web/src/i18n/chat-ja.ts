/** Every word of chat and roster, in Japanese. `chat-en.ts` has the same keys. */
export const chatJa = {
  channel: {
    public: { title: '回答者チャット', tab: '回答者', readers: '回答者を含む全員が読みます' },
    private: {
      title: 'バックルーム',
      // A narrow button may break it here only.
      tab: 'バック\u200bルーム',
      readers: '読むのはモデレーター・オブザーバー・オペレーターだけ（回答者には見えません）',
    },
    observer_only: {
      title: 'オブザーバーチャット',
      // A narrow button may break it here only.
      tab: 'オブ\u200bザーバー',
      readers: '読むのはオブザーバーとオペレーターだけ（モデレーター・回答者には見えません）',
    },
  },
  /** The panelist's words. They must not reveal that there are other chats. */
  onlyChat: { title: 'チャット', tab: 'チャット', readers: 'この部屋の全員が読みます' },
  panels: '表示するパネル',
  close: '閉じる',
  closePanel: (panel: string) => `${panel}を閉じる`,
  unread: (count: number) => `未読 ${count} 件`,
  empty: 'まだメッセージはありません',
  readOnly: 'このチャットは読むだけです',
  loadOlder: '前のメッセージを読み込む',
  loading: '読み込んでいます…',
  loadFailed: 'メッセージを読み込めませんでした',
  reconnecting: '再接続中です。新しいメッセージはつながり次第表示されます',
  newBelow: '新しいメッセージ',
  you: 'あなた',
  write: {
    public: '回答者を含む全員に送る',
    private: 'バックルームに送る',
    observer_only: 'オブザーバーに送る',
  },
  writePlain: 'メッセージを書く',
  writeHint: 'Enter で送信、Shift+Enter で改行',
  send: '送信',
  attach: 'ファイルを添付',
  dropHere: 'ここに置くと送信します',
  counter: (used: number, max: number) => `${used} / ${max} 文字`,
  stamps: 'スタンプ',
  stampHint: (number: number) => `Alt+${number} でも送れます`,
  sending: '送信中…',
  uploading: (percent: number) => `アップロード中… ${percent}%`,
  retry: '再送',
  discard: '取り消す',
  problem: {
    offline: '送信できませんでした。接続が戻ると自動で再送します。',
    'too-fast': '送信が続いたため、少し待ってから再送してください。',
    refused: 'このメッセージは送れませんでした。',
    'too-large': 'ファイルは 20 MB まで送れます。',
    'file-type': 'この種類のファイルは送れません。画像、PDF、Office 文書、テキストを送れます。',
  },
  download: (name: string) => `${name} をダウンロード`,
  openImage: (name: string) => `${name} を開く`,
  dismissPreview: '閉じる',
  heard: (channel: string, name: string, words: string) => `${channel}：${name} さん「${words}」`,
  recording: {
    started: '録画を開始しました',
    paused: '録画を一時停止しました',
    resumed: '録画を再開しました',
    stopped: '録画を停止しました',
    changed: '録画の状態が変わりました',
  },
  stamp: {
    private: {
      ok: '了解です',
      ask_later: 'あとで聞きます',
      anything_else: 'ほかにありますか？',
      guide: 'ご案内します',
      call: '電話します',
      please_wait: 'お待ちください',
      reload: '再読み込みをお願いします',
    },
    observer_only: { nice: 'いいね', ok: 'OK', i_see: 'なるほど', a_lot: 'たくさん' },
    public: { please_reload: 'ページを再読み込みしてください', calling: 'お電話しています' },
  },
  roster: {
    title: '参加者一覧',
    // A narrow button may break it here only.
    tab: '参加者\u200b一覧',
    nobody: 'まだ誰もいません',
    role: {
      moderator: 'モデレーター',
      panelist: '回答者',
      observer: 'オブザーバー',
      platform_observer: 'オペレーター',
    },
    hand: '手を挙げています',
    noMedia: '映像・音声は未接続',
    stale: '再接続中のため、最新ではないことがあります',
  },
}

export type ChatDictionary = typeof chatJa
