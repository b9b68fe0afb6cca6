import '../design/tokens.css'
import '../design/base.css'
import { chooseLocale, recallLocale } from '../i18n/locale.ts'
import { openTabStorage } from '../live/tab-storage.ts'
import { mountPage } from '../pages/mount-page.tsx'
import { BoardConnection } from './board-connection.ts'
import { BoardPage } from './board-page.tsx'
import { takeBoardToken } from './board-token.ts'
import { EndedPage } from './ended-page.tsx'

const token = takeBoardToken({
  location: globalThis.location,
  history: globalThis.history,
  storage: openTabStorage(),
})

mountPage()(
  chooseLocale([recallLocale(), ...navigator.languages]),
  token === null ? <EndedPage /> : <BoardPage board={follow(token)} />,
)

function follow(boardToken: string): BoardConnection {
  const board = new BoardConnection(boardToken)
  addEventListener('online', () => board.tryNow())
  void board.follow()
  return board
}
