import type { ReactNode } from 'react'
import { Button } from '../design/button.tsx'
import { CheckIcon } from '../design/icons.tsx'
import { useConsentText } from '../i18n/consent-text.ts'
import { MessagePage } from './message-page.tsx'

/** The room has opened while the person waited. They decide when to enter. */
export function OpenPage({ children, onGo }: { children: ReactNode; onGo: () => void }) {
  const text = useConsentText().open
  return (
    <MessagePage
      icon={<CheckIcon />}
      title={text.title}
      body={text.body}
      action={
        <Button look="primary" size="large" onPress={onGo}>
          {text.go}
        </Button>
      }
    >
      <p className="visually-hidden" role="alert">
        {text.title}
      </p>
      {children}
    </MessagePage>
  )
}
