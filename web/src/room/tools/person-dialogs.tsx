import type { Person } from '@interview-room/contract/live-stream.ts'
import { Fragment, type ReactNode, useState } from 'react'
import { BanDialog } from './ban-dialog.tsx'
import { RemoveDialog } from './remove-dialog.tsx'

export type PersonDialog = 'ban' | 'remove'

/**
 * The dialogs about a person in the roster. They are not part of the person's row, so that somebody who leaves while
 * the reason is being written can still be banned.
 */
export function usePersonDialogs(): {
  openDialog: (dialog: PersonDialog, person: Person) => void
  dialogs: ReactNode
} {
  const [person, setPerson] = useState<{ identity: string; name: string } | null>(null)
  const [open, setOpen] = useState<PersonDialog | 'none'>('none')
  const dialogOf = (which: PersonDialog) => ({
    isOpen: open === which,
    onOpenChange: (isOpen: boolean) => setOpen(isOpen ? which : 'none'),
  })
  return {
    openDialog: (dialog, { identity, display_name: name }) => {
      setPerson({ identity, name })
      setOpen(dialog)
    },
    dialogs: person !== null && (
      // The dialog for another person starts with an empty reason.
      <Fragment key={person.identity}>
        <BanDialog person={person} {...dialogOf('ban')} />
        <RemoveDialog person={person} {...dialogOf('remove')} />
      </Fragment>
    ),
  }
}
