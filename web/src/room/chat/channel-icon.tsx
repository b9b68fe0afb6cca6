import type { Visibility } from '@interview-room/contract/vocabulary.ts'
import type { ComponentType } from 'react'
import { ChatIcon, EyeIcon, LockIcon } from '../../design/icons.tsx'

/** Chats differ in shape and not only in colour, so that nobody confuses them. */
export const CHANNEL_ICONS: Record<Visibility, ComponentType> = {
  public: ChatIcon,
  private: LockIcon,
  observer_only: EyeIcon,
}
