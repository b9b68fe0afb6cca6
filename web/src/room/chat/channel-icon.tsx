import type { Visibility } from '@interview-room/contract/vocabulary.ts'
import type { ComponentType } from 'react'
import { ChatIcon, EyeIcon, LockIcon } from '../../design/icons.tsx'

/** By shape as well as by colour: a chat is never taken for another. */
export const CHANNEL_ICONS: Record<Visibility, ComponentType> = {
  public: ChatIcon,
  private: LockIcon,
  observer_only: EyeIcon,
}
