import { Icon } from '../../design/icons.tsx'

export function CaptionsIcon({ isOff = false }: { isOff?: boolean }) {
  return (
    <Icon>
      <rect x="3" y="5" width="18" height="14" rx="2.5" />
      <path d="M6.5 12.2h5M14.5 12.2h3M6.5 15.7h2.5M12 15.7h5.5" />
      {isOff && <path d="M4 4l16 16" />}
    </Icon>
  )
}

export function TranscriptIcon() {
  return (
    <Icon>
      <path d="M4 6h3M10 6h10M4 12h3M10 12h10M4 18h3M10 18h7" />
    </Icon>
  )
}
