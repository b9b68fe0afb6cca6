import '../design/tokens.css'
import '../design/base.css'
import { LinkIcon } from '../design/icons.tsx'
import { chooseLocale, recallLocale } from '../i18n/locale.ts'
import { useText } from '../i18n/text.ts'
import { MessagePage } from '../pages/message-page.tsx'
import { mountPage } from '../pages/mount-page.tsx'

mountPage()(chooseLocale([recallLocale(), ...navigator.languages]), <NotFoundPage />)

/** Shown at every address that the service does not have. */
function NotFoundPage() {
  return <MessagePage icon={<LinkIcon />} {...useText().notFound} />
}
