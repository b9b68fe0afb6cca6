import type { FC } from 'react'
import type { ConsoleDictionary } from '../i18n/console-ja.ts'
import { AccessLog } from './access-log.tsx'
import { ApiKeys } from './api-keys.tsx'
import type { Section } from './console-frame.tsx'
import { Deliveries } from './deliveries.tsx'
import { Endpoints } from './endpoints.tsx'
import { Events } from './events.tsx'
import { Rooms } from './rooms.tsx'
import { TokenKeys } from './token-keys.tsx'
import { Usage } from './usage.tsx'

const CONTENTS = {
  endpoints: Endpoints,
  deliveries: Deliveries,
  events: Events,
  apiKeys: ApiKeys,
  tokenKeys: TokenKeys,
  accessLog: AccessLog,
  usage: Usage,
} as const satisfies Partial<Record<keyof ConsoleDictionary['sections'], FC>>

const NAMES = Object.keys(CONTENTS) as (keyof typeof CONTENTS)[]

/** The sections of the console for a tenant's engineer, in the order of the page. */
export function consoleSections({ sections }: ConsoleDictionary): [Section, ...Section[]] {
  const rooms = { name: 'rooms', label: sections.rooms, Content: Rooms }
  const others = NAMES.map((name) => ({ name, label: sections[name], Content: CONTENTS[name] }))
  return [rooms, ...others]
}
