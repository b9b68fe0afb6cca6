/** The words of a page that has not started yet or cannot go on. */
export interface StartDictionary {
  slow: { title: string; body: string }
  lost: { title: string; body: string }
  failed: { title: string; body: string }
  tooOld: { title: string; body: string }
  broken: { title: string; body: string }
  reload: string
}

export const startJa: StartDictionary = {
  slow: {
    title: '読み込んでいます…',
    body: '通信に時間がかかっています。このままお待ちください。',
  },
  lost: {
    title: 'ページを読み込めませんでした',
    body: 'インターネット接続をご確認ください。接続が戻ると自動で再読み込みします。',
  },
  failed: {
    title: 'ページを表示できませんでした',
    body: '再読み込みしてください。それでも表示されない場合は、別のブラウザで同じリンクを開いてください。',
  },
  tooOld: {
    title: 'このブラウザでは利用できません',
    body:
      '最新の Chrome、Edge、Safari、Firefox で同じリンクを開いてください。' +
      'iPhone や iPad では、システムをアップデートするか、別の端末をお使いください。',
  },
  broken: {
    title: 'このページで問題が発生しました',
    body: '再読み込みすると続けられます。',
  },
  reload: '再読み込み',
}
