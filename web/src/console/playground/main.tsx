import '../../design/tokens.css'
import '../../design/base.css'
import { chooseLocale, recallLocale } from '../../i18n/locale.ts'
import { mountPage } from '../../pages/mount-page.tsx'
import { PlaygroundPage } from './playground-page.tsx'

mountPage()(chooseLocale([recallLocale(), ...navigator.languages]), <PlaygroundPage />)
