import type { Words } from './ja.ts'

/** Japanese words for a PDF that a moderator adds to the handouts. Loaded together with its part of the page. */
export const pdfJa = {
  opening: 'PDFを読み込んでいます…',
  ready: (pages: number) =>
    `${pages} ページあります。1 ページずつ資料に追加し、追加が終わると最初のページを全員に表示します。`,
  titleHint: '「表示名 – 3 / 12」のように、ページ番号を付けて参加者に表示されます。',
  add: '追加して見せる',
  progress: '進み具合',
  rendering: (page: number, pages: number) => `画像にしています：${page} / ${pages} ページ`,
  uploading: (page: number, pages: number) => `アップロードしています：${page} / ${pages} ページ`,
  stopping: '中止しています…',
  stop: '中止する',
  stopped: (added: number, pages: number) =>
    `${pages} ページのうち ${added} ページを追加しました。追加したページは一覧に残ります。`,
  resume: '続ける',
  close: '閉じる',
  notShown: '追加しましたが、表示できませんでした。一覧から選んで見せてください。',
  turning: 'PDFのページ',
  previousPage: '前のページ',
  nextPage: '次のページ',
  place: (page: number, pages: number) => `${pages} ページのうち ${page} ページ目`,
  problem: {
    encrypted: 'このPDFはパスワードで保護されています。保護を解除したPDFを選んでください。',
    broken: 'このPDFは壊れているため、読み込めません。作り直したPDFを選んでください。',
    oldBrowser:
      'このブラウザは古いため、PDFを読み込めません。ブラウザを更新するか、ページを画像として追加してください。',
    unreadable:
      'このPDFを読み込めませんでした。ページを再読み込みしてから、もう一度お試しください。',
    tooLarge: 'ファイルが大きすぎます。PDFは100 MBまでです。',
    tooManyPages: (pages: number, max: number) =>
      `${pages} ページあります。${max} ページ以内のPDFに分けてください。`,
    page: (page: number) =>
      `${page} ページ目を画像にできませんでした。追加したページはありません。`,
    pageTooLarge: (page: number) =>
      `${page} ページ目の画像が大きすぎます。追加したページはありません。`,
  },
}

export type PdfDictionary = Words<typeof pdfJa>
