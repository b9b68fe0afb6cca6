import { Icon } from './icons.tsx'

export function PlayIcon() {
  return (
    <Icon>
      <path d="M8 5.5v13l10.5-6.5z" />
    </Icon>
  )
}

export function CaptionsIcon() {
  return (
    <Icon>
      <rect x="3" y="5" width="18" height="14" rx="2.5" />
      <path d="M7 11h4M7 15h7M14 11h3M17 15h.5" />
    </Icon>
  )
}

export function SkipSilenceIcon() {
  return (
    <Icon>
      <path d="M4 7v10M7 9v6M17 9v6M20 7v10M10 12h4M12.5 10l2 2-2 2" />
    </Icon>
  )
}

export function PlusIcon() {
  return (
    <Icon>
      <path d="M12 5v14M5 12h14" />
    </Icon>
  )
}

export function MinusIcon() {
  return (
    <Icon>
      <path d="M5 12h14" />
    </Icon>
  )
}

export function UpIcon() {
  return (
    <Icon>
      <path d="M12 19V6M6.5 11.5 12 6l5.5 5.5" />
    </Icon>
  )
}

export function DownIcon() {
  return (
    <Icon>
      <path d="M12 5v13M6.5 12.5 12 18l5.5-5.5" />
    </Icon>
  )
}
