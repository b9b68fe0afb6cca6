import '../design/tokens.css'
import '../design/base.css'
import { createRoot } from 'react-dom/client'
import { LanguageProvider } from '../i18n/language.tsx'
import { chooseLocale, recallLocale } from '../i18n/locale.ts'
import { BoardConnection } from './board-connection.ts'
import { BoardPage } from './board-page.tsx'
import { takeBoardToken } from './board-token.ts'
import { EndedPage } from './ended-page.tsx'

const token = takeBoardToken({
  location: globalThis.location,
  history: globalThis.history,
  storage: globalThis.sessionStorage,
})
const root = document.querySelector('#root')
if (root === null) throw new Error('the page has no root element')

createRoot(root).render(
  <LanguageProvider initial={chooseLocale([recallLocale(), ...navigator.languages])}>
    {token === null ? <EndedPage /> : <BoardPage board={follow(token)} />}
  </LanguageProvider>,
)

function follow(boardToken: string): BoardConnection {
  const board = new BoardConnection(boardToken)
  addEventListener('online', () => board.tryNow())
  void board.follow()
  return board
}
