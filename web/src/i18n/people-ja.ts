import type { Words } from './ja.ts'

/** Japanese words for the moderator's actions on people, and for showing people. `people-en.ts` has the same keys. */
export const peopleJa = {
  remove: '退出させる（再入室できます）',
  removeTitle: (name: string) => `${name} さんを退出させますか？`,
  removeBody: 'すぐに退出となります。同じリンクから、もう一度入室できます。',
  removeConfirm: '退出させる',
  removeFailed: '退出させられませんでした。もう一度お試しください。',
  cancel: 'やめる',
  muteAll: '全員のマイクをオフ',
  mutedAll: (count: number) =>
    count === 0 ? 'ほかに参加している人はいません。' : `${count} 人のマイクをオフにしました。`,
  lowerHand: '手を下ろしてもらう',
  lowerHands: '全員の手を下ろす',
  lowered: '挙がっている手はありません。',
  failed: '操作できませんでした。もう一度お試しください。',
  spotlight: '全員に大きく表示する',
  endSpotlight: '全員への大きな表示をやめる',
  allowScreen: '画面の共有を許可する',
  withdrawScreen: '画面の共有の許可を取り消す',
  mayShareScreen: '画面を共有できます',
  shareScreen: '画面を共有',
  stopScreen: '共有を終了',
  inSpotlight: '全員に大きく表示中',
  spotlightNews: (name: string) => `${name} さんを大きく表示しています`,
  spotlightEnded: '大きな表示を終了しました',
  floating: (name: string) => `${name} さんの映像を別の小さな画面に出す`,
  leaveFloating: (name: string) => `${name} さんの映像を元に戻す`,
  helpContact: (contact: string) => `お困りのときは：${contact}`,
  questions: {
    title: 'モデレーターへの質問',
    // A narrow button may break it here only.
    tab: '質問',
    lead: '回答者には見えません。',
    empty: 'まだ質問はありません。',
    label: '質問',
    hint: '回答者に聞いてほしいこと',
    add: '追加する',
    failed: '保存できませんでした。もう一度お試しください。',
    news: (name: string) => `${name} さんから質問が届きました`,
    choose: (text: string) => `「${text}」をどうしましたか`,
    status: { open: '未対応', asked: '聞いた', later: 'あとで', done: '済み' },
    count: (count: number) => `未対応 ${count} 件`,
  },
  rating: {
    title: '今日のインタビューはいかがでしたか？',
    lead: '回答は、今後の改善に使わせていただきます（任意）。',
    lowest: 'よくなかった',
    highest: 'とてもよかった',
    comment: 'ご意見（任意）',
    send: '送る',
    sent: 'ご回答ありがとうございました。',
    failed: '送れませんでした。もう一度お試しください。',
  },
}

export type PeopleDictionary = Words<typeof peopleJa>
