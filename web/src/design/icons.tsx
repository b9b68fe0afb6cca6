import type { ReactNode } from 'react'

/** One family of icons: 24 by 24, lines of 1.75, in the colour of the text, hidden from screen readers. */
export function Icon({ children }: { children: ReactNode }) {
  return (
    <svg
      viewBox="0 0 24 24"
      width="24"
      height="24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      {children}
    </svg>
  )
}

const SLASH = <path d="M4 4l16 16" />

export function MicrophoneIcon({ isOff = false }: { isOff?: boolean }) {
  return (
    <Icon>
      <rect x="9" y="3" width="6" height="11" rx="3" />
      <path d="M5.5 11.5a6.5 6.5 0 0 0 13 0M12 18v3" />
      {isOff && SLASH}
    </Icon>
  )
}

export function CameraIcon({ isOff = false }: { isOff?: boolean }) {
  return (
    <Icon>
      <rect x="3" y="6.5" width="12.5" height="11" rx="2.5" />
      <path d="M15.5 10.5l5-2.5v8l-5-2.5" />
      {isOff && SLASH}
    </Icon>
  )
}

export function DevicesIcon() {
  return (
    <Icon>
      <path d="M4 7h9M17 7h3M4 17h3M11 17h9" />
      <circle cx="15" cy="7" r="2" />
      <circle cx="9" cy="17" r="2" />
    </Icon>
  )
}

export function LeaveIcon() {
  return (
    <Icon>
      <path d="M10 4H6.5A1.5 1.5 0 0 0 5 5.5v13A1.5 1.5 0 0 0 6.5 20H10M14.5 8l4 4-4 4M18 12H9.5" />
    </Icon>
  )
}

export function SpeakerIcon({ isOff = false }: { isOff?: boolean }) {
  return (
    <Icon>
      <path d="M4 9.5v5h3.5L12 18.5v-13L7.5 9.5zM15.5 9a4.5 4.5 0 0 1 0 6M18 6.5a8 8 0 0 1 0 11" />
      {isOff && SLASH}
    </Icon>
  )
}

export function EyeIcon() {
  return (
    <Icon>
      <path d="M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12z" />
      <circle cx="12" cy="12" r="2.75" />
    </Icon>
  )
}

export function CheckIcon() {
  return (
    <Icon>
      <path d="M5 12.5l4.5 4.5L19 7.5" />
    </Icon>
  )
}

export function ChevronIcon() {
  return (
    <Icon>
      <path d="M7 10l5 5 5-5" />
    </Icon>
  )
}

export function ClockIcon() {
  return (
    <Icon>
      <circle cx="12" cy="12" r="8.5" />
      <path d="M12 7.5V12l3 2" />
    </Icon>
  )
}

export function ExitIcon() {
  return (
    <Icon>
      <path d="M6 20.5V5a1.5 1.5 0 0 1 1.5-1.5h9A1.5 1.5 0 0 1 18 5v15.5M3.5 20.5h17M14.5 12v.5" />
    </Icon>
  )
}

export function LinkIcon() {
  return (
    <Icon>
      <path d="M10 14a4 4 0 0 0 5.7 0l3-3A4 4 0 0 0 13 5.3l-1 1M14 10a4 4 0 0 0-5.7 0l-3 3a4 4 0 0 0 5.7 5.7l1-1" />
    </Icon>
  )
}

export function WarningIcon() {
  return (
    <Icon>
      <path d="M12 4L2.8 19.5h18.4zM12 10v4.5M12 17.2v.1" />
    </Icon>
  )
}

export function CopyIcon() {
  return (
    <Icon>
      <rect x="8.5" y="8.5" width="11" height="11" rx="2" />
      <path d="M5.5 15.5h-1v-9a2 2 0 0 1 2-2h9v1" />
    </Icon>
  )
}

export function ChatIcon() {
  return (
    <Icon>
      <path d="M4 6.5A2.5 2.5 0 0 1 6.5 4h11A2.5 2.5 0 0 1 20 6.5v7a2.5 2.5 0 0 1-2.5 2.5H11l-4.5 4v-4A2.5 2.5 0 0 1 4 13.5zM8 8.5h8M8 11.75h5" />
    </Icon>
  )
}

export function LockIcon() {
  return (
    <Icon>
      <rect x="5" y="10.5" width="14" height="9.5" rx="2.25" />
      <path d="M8 10.5V8a4 4 0 0 1 8 0v2.5M12 14.5v2" />
    </Icon>
  )
}

export function PeopleIcon() {
  return (
    <Icon>
      <circle cx="9" cy="8.5" r="3.25" />
      <path d="M3 19a6 6 0 0 1 12 0M15.5 5.6a3.25 3.25 0 0 1 0 5.8M17.5 14.2A6 6 0 0 1 21 19" />
    </Icon>
  )
}

export function HandIcon() {
  return (
    <Icon>
      <path d="M8 12.5V6a1.5 1.5 0 0 1 3 0v5M11 11V4.5a1.5 1.5 0 0 1 3 0V11M14 11V6a1.5 1.5 0 0 1 3 0v8a6.5 6.5 0 0 1-6.5 6.5c-2.6 0-4-1.4-5.3-3.9L3.6 13.4a1.5 1.5 0 0 1 2.5-1.6L8 14" />
    </Icon>
  )
}

export function SendIcon() {
  return (
    <Icon>
      <path d="M4.5 12L3.5 4.5 21 12 3.5 19.5zM4.5 12H12" />
    </Icon>
  )
}

export function ClipIcon() {
  return (
    <Icon>
      <path d="M19.5 11.5l-7.3 7.3a4.6 4.6 0 0 1-6.5-6.5l7.6-7.6a3 3 0 0 1 4.3 4.3l-7.5 7.5a1.5 1.5 0 0 1-2.1-2.1l6.8-6.8" />
    </Icon>
  )
}

export function FileIcon() {
  return (
    <Icon>
      <path d="M13.5 3.5h-6A1.5 1.5 0 0 0 6 5v14a1.5 1.5 0 0 0 1.5 1.5h9A1.5 1.5 0 0 0 18 19V8zM13.5 3.5V8H18" />
    </Icon>
  )
}

export function CloseIcon() {
  return (
    <Icon>
      <path d="M6 6l12 12M18 6L6 18" />
    </Icon>
  )
}

export function FlagIcon() {
  return (
    <Icon>
      <path d="M6 20.5v-16M6 5h11.5l-2.5 4 2.5 4H6" />
    </Icon>
  )
}

export function HelpIcon() {
  return (
    <Icon>
      <circle cx="12" cy="12" r="8.5" />
      <path d="M9.5 9.6a2.5 2.5 0 1 1 3.6 2.3c-.7.4-1.1.9-1.1 1.7v.2M12 16.6v.1" />
    </Icon>
  )
}

export function MoreIcon() {
  return (
    <Icon>
      <path d="M6 12h.01M12 12h.01M18 12h.01" strokeWidth="3" />
    </Icon>
  )
}

export function GridIcon() {
  return (
    <Icon>
      <rect x="3.5" y="4.5" width="7.5" height="6.5" rx="1.5" />
      <rect x="13" y="4.5" width="7.5" height="6.5" rx="1.5" />
      <rect x="3.5" y="13" width="7.5" height="6.5" rx="1.5" />
      <rect x="13" y="13" width="7.5" height="6.5" rx="1.5" />
    </Icon>
  )
}

export function OneLargeIcon() {
  return (
    <Icon>
      <rect x="3.5" y="4.5" width="17" height="9.5" rx="1.5" />
      <path d="M4 18.5h3.5M10.25 18.5h3.5M16.5 18.5H20" />
    </Icon>
  )
}

export function FullScreenIcon({ isOn = false }: { isOn?: boolean }) {
  return (
    <Icon>
      {isOn ? (
        <path d="M9 4v5H4M15 4v5h5M9 20v-5H4M15 20v-5h5" />
      ) : (
        <path d="M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5" />
      )}
    </Icon>
  )
}

export function PinIcon({ isOff = false }: { isOff?: boolean }) {
  return (
    <Icon>
      <path d="M8 4h8M9.5 4v6L6.5 14h11l-3-4V4M12 14v6.5" />
      {isOff && SLASH}
    </Icon>
  )
}

export function QuestionIcon() {
  return (
    <Icon>
      <path d="M4 5h16v11H12l-4 4v-4H4z" />
      <path d="M10 8.6a2.1 2.1 0 1 1 2.6 2c-.5.2-.6.5-.6 1M12 13.6v.1" />
    </Icon>
  )
}

export function ScreenIcon({ isOff = false }: { isOff?: boolean }) {
  return (
    <Icon>
      <rect x="3" y="4.5" width="18" height="12.5" rx="1.5" />
      <path d="M9 20.5h6M12 13.5V8M9.5 10.2L12 7.8l2.5 2.4" />
      {isOff && SLASH}
    </Icon>
  )
}

export function FloatingIcon() {
  return (
    <Icon>
      <path d="M20 10V5H3.5v14H10" />
      <rect x="12.5" y="12.5" width="8.5" height="6.5" rx="1" />
    </Icon>
  )
}

export function FlipIcon() {
  return (
    <Icon>
      <path d="M4 12a8 8 0 0 1 13.7-5.6L20 8.5M20 4v4.5h-4.5M20 12a8 8 0 0 1-13.7 5.6L4 15.5M4 20v-4.5h4.5" />
    </Icon>
  )
}

export function PauseIcon() {
  return (
    <Icon>
      <path d="M9 6v12M15 6v12" />
    </Icon>
  )
}

export function RecordingIcon({ isOff = false }: { isOff?: boolean }) {
  return (
    <Icon>
      <circle cx="12" cy="12" r="7.5" />
      {isOff && SLASH}
    </Icon>
  )
}

export function AbsentIcon() {
  return (
    <Icon>
      <circle cx="12" cy="8.5" r="3.5" />
      <path d="M5.5 19.5a6.5 6.5 0 0 1 13 0" />
      {SLASH}
    </Icon>
  )
}
